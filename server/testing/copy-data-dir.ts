import { cpSync, rmSync } from "node:fs";

/** Puts a copy of a data directory that nobody has open in the place of another. */
export function copyDataDir(source: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true });
}
