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
  /** "name: the first lines of its error": the end of a log says what went wrong. */
  failures: string[];
  /** "name: reason". */
  skipped: string[];
  /** Tests that passed at the second try only: "name: the error of the first". */
  unsteady: string[];
  /** How far things jumped by themselves, where they did: "0.01230 what: name", the most first. */
  shifted?: string[];
  times?: FileTime[];
}

/** The kind of annotation in which a journey says what jumped by itself. */
export const LAYOUT_SHIFT = "layout shift";

/** How a failure is named in the closing lines. */
export function sayFailure(name: string, error: string | undefined): string {
  const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  const lines = (error ?? "no error given").replace(colours, "").split("\n");
  const said = lines.filter((line) => line.trim() !== "");
  return `${name}: ${said.slice(0, 14).join("\n    ")}`;
}
