export interface FileTime {
  readonly file: string;
  readonly tests: number;
  /**
   * Time before the first test. For a unit test file: environment, setup files, imports and
   * harness. For an end-to-end test: fixtures and hooks.
   */
  readonly setupMs: number;
  readonly testMs: number;
}

export interface Tally {
  passed: number;
  /** Failures, as "name: first lines of the error". Printed at the end of the log. */
  failures: string[];
  skipped: string[];
  /** Tests that passed only on retry, as "name: first error". */
  unsteady: string[];
  /** Layout shifts above 0, largest first, as "0.01230 element: name of the test". */
  shifted?: string[];
  times?: FileTime[];
}

export const LAYOUT_SHIFT = "layout shift";

export function sayFailure(name: string, error: string | undefined): string {
  const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  const lines = (error ?? "no error given").replace(colours, "").split("\n");
  const said = lines.filter((line) => line.trim() !== "");
  return `${name}: ${said.slice(0, 14).join("\n    ")}`;
}
