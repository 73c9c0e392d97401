/** A vitest reporter that writes the test counts for run-tests.ts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { type FileTime, sayFailure, type Tally } from "./tally.ts";

/**
 * Returns whether `--tags-filter` leaves a test to another run. Such a test is not counted as
 * skipped.
 */
function isOfOtherRun({ tags }: TestCase): boolean {
  const filter = process.env.TALLY_TAG;
  if (filter === undefined) return false;
  return filter.startsWith("!") ? tags.includes(filter.slice(1)) : !tags.includes(filter);
}

/** Environments whose setup time was already counted. All files of a worker share one. */
const environments = new Set<number>();

function timeOf(module: TestModule): FileTime {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  const isFirst = !environments.has(environmentSetupDuration);
  environments.add(environmentSetupDuration);
  const environment = isFirst ? environmentSetupDuration : 0;
  return {
    file: module.relativeModuleId,
    tests: [...module.children.allTests("passed"), ...module.children.allTests("failed")].length,
    setupMs: environment + prepareDuration + collectDuration + setupDuration,
    testMs: duration,
  };
}

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env.TALLY_FILE;
    if (file === undefined) {
      return;
    }
    const tally: Tally = { passed: 0, failures: [], skipped: [], unsteady: [] };
    for (const { message, stack } of errors) {
      tally.failures.push(sayFailure("outside of a test", stack ?? message));
    }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (isOfOtherRun(test)) continue;
        const result = test.result();
        const name = `${module.relativeModuleId} › ${test.fullName}`;
        if (result.state === "passed") {
          tally.passed += 1;
          if (test.diagnostic()?.flaky) {
            tally.unsteady.push(sayFailure(name, result.errors?.[0]?.message));
          }
        } else if (result.state === "failed") {
          tally.failures.push(sayFailure(name, result.errors[0]?.message));
        } else {
          const { onlySqliteBecause } = test.meta() as { onlySqliteBecause?: string };
          const note = result.state === "skipped" ? result.note : undefined;
          tally.skipped.push(`${name}: ${note ?? onlySqliteBecause ?? "no reason given"}`);
        }
      }
      // Errors of loading a file and of hooks belong to no test.
      for (const suite of [module, ...module.children.allSuites()]) {
        const name = suite.type === "module" ? suite.relativeModuleId : suite.fullName;
        tally.failures.push(...suite.errors().map(({ message }) => sayFailure(name, message)));
      }
    }
    tally.times = modules.map(timeOf);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(tally));
  }
}
