/** A Playwright reporter that leaves behind the numbers run-tests.ts adds up. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, Suite } from "@playwright/test/reporter";
import type { Tally } from "./tally.ts";

export default class TallyReporter implements Reporter {
  #suite: Suite | undefined;
  #errors = 0;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onError(): void {
    this.#errors += 1;
  }

  onEnd(): void {
    const file = process.env.TALLY_FILE;
    if (file === undefined) {
      return;
    }
    const tally: Tally = { passed: 0, failed: this.#errors, skipped: [], unsteady: [] };
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      const title = test.titlePath().filter(Boolean).join(" › ");
      if (outcome === "expected" || outcome === "flaky") {
        tally.passed += 1;
        if (outcome === "flaky") tally.unsteady.push(title);
      } else if (outcome === "skipped") {
        const reason = test.annotations.find(({ type }) => type === "skip" || type === "fixme");
        tally.skipped.push(`${title}: ${reason?.description ?? "no reason given"}`);
      } else {
        tally.failed += 1;
      }
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(tally));
  }
}
