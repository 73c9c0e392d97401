/** A vitest reporter that leaves behind the numbers run-tests.ts adds up. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import type { Tally } from "./tally.ts";

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.TALLY_FILE;
    if (file === undefined) {
      return;
    }
    const tally: Tally = { passed: 0, failed: errors.length, skipped: [], unsteady: [] };
    for (const module of modules) {
      const failedBefore = tally.failed;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") {
          tally.passed += 1;
        } else if (result.state === "failed") {
          tally.failed += 1;
        } else {
          const reason = (result.state === "skipped" && result.note) || "no reason given";
          tally.skipped.push(`${module.relativeModuleId} › ${test.fullName}: ${reason}`);
        }
      }
      // A file that does not load, or a failing hook, has no failing test of its own.
      if (module.state() === "failed" && tally.failed === failedBefore) {
        tally.failed += 1;
      }
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(tally));
  }
}
