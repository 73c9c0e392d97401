import { cpSync, rmSync } from "node:fs";

/** Replaces a data directory by a copy of a directory that no process has open. */
export function copyDataDir(source: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true });
}
