/** Time of one test file or end-to-end test file, in milliseconds. */
export interface FileTime {
  readonly file: string;
  readonly tests: number;
  /** Environment, setup files, imports and harness of a unit test file; fixtures and hooks of an end-to-end test. */
  readonly setupMs: number;
  readonly testMs: number;
}

/** Result of one test run. */
export interface Tally {
  passed: number;
  /** "name: first lines of the error", so that the end of a log states the failures. */
  failures: string[];
  /** "name: reason". */
  skipped: string[];
  /** Tests that passed only at the second attempt: "name: first error". */
  unsteady: string[];
  /** Layout shifts above 0: "0.01230 element: name", largest first. */
  shifted?: string[];
  times?: FileTime[];
}

/** Kind of the annotation with which a test reports a layout shift. */
export const LAYOUT_SHIFT = "layout shift";

/** Formats a failure for the closing lines. */
export function sayFailure(name: string, error: string | undefined): string {
  const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  const lines = (error ?? "no error given").replace(colours, "").split("\n");
  const said = lines.filter((line) => line.trim() !== "");
  return `${name}: ${said.slice(0, 14).join("\n    ")}`;
}
