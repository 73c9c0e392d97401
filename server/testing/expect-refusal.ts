import { expect } from "vitest";
import type { Finished } from "./run-program.ts";

/** Expects a one-line error text without stack or internal details. */
export function expectRefusal(finished: Finished, words: RegExp, exitCode = 1): void {
  expect(finished.stderr).toMatch(words);
  expect(finished.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(finished.stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  expect(finished.stdout).toBe("");
  expect(finished.exitCode).toBe(exitCode);
}
