import { expect } from "vitest";
import type { Finished } from "./run-program.ts";

/** One line of words, a failure, and nothing that only a programmer could read. */
export function expectRefusal(finished: Finished, words: RegExp, exitCode = 1): void {
  expect(finished.stderr).toMatch(words);
  expect(finished.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(finished.stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  expect(finished.stdout).toBe("");
  expect(finished.exitCode).toBe(exitCode);
}
