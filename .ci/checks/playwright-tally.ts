/** A Playwright reporter that writes the test counts for run-tests.ts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";
import { type FileTime, LAYOUT_SHIFT, sayFailure, type Tally } from "./tally.ts";

export default class TallyReporter implements Reporter {
  #suite: Suite | undefined;
  readonly #errors: string[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onError({ message }: TestError): void {
    this.#errors.push(sayFailure("outside of a test", message));
  }

  onEnd(): void {
    const file = process.env.TALLY_FILE;
    if (file === undefined) {
      return;
    }
    const tally: Tally = { passed: 0, failures: this.#errors, skipped: [], unsteady: [] };
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      const title = test.titlePath().filter(Boolean).join(" › ");
      if (outcome === "expected" || outcome === "flaky") {
        tally.passed += 1;
        if (outcome === "flaky") tally.unsteady.push(sayFailure(title, firstError(test)));
      } else if (outcome === "skipped") {
        const reason = test.annotations.find(({ type }) => type === "skip" || type === "fixme");
        tally.skipped.push(`${title}: ${reason?.description ?? "no reason given"}`);
      } else {
        tally.failures.push(sayFailure(title, firstError(test)));
      }
    }
    tally.shifted = shiftsOf(this.#suite?.allTests() ?? []);
    tally.times = timesOf(this.#suite?.allTests() ?? []);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(tally));
  }
}

function firstError({ results }: TestCase): string | undefined {
  return results.flatMap(({ errors }) => errors).at(0)?.message;
}

/** Returns the layout shifts recorded by e2e/fixtures.ts, except those that a test expects. */
function shiftsOf(tests: readonly TestCase[]): string[] {
  return tests
    .filter(({ expectedStatus }) => expectedStatus !== "failed")
    .flatMap((test) => {
      const noted = test.annotations.find(({ type }) => type === LAYOUT_SHIFT)?.description;
      return noted === undefined ? [] : [`${noted.slice(0, 160)}: ${test.title}`];
    })
    .toSorted()
    .toReversed();
}

function timesOf(tests: readonly TestCase[]): FileTime[] {
  return tests.flatMap(({ location, title, results: [first] }) => {
    if (first === undefined) return [];
    const hooks = first.steps.filter(({ category }) => category === "hook");
    const setupMs = hooks.reduce((sum, { duration }) => sum + duration, 0);
    const file = `${basename(location.file)} › ${title}`;
    return { file, tests: 1, setupMs, testMs: first.duration - setupMs };
  });
}
