import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Flushes a file, or the names in a directory, to the disk. Skips directories on Windows, which
 * flushes names itself.
 */
export function flushPath(path: string): void {
  let handle: number;
  try {
    handle = openSync(path, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } catch {
    // Some file systems cannot flush. The next start detects lost writes by the commit counter.
  } finally {
    closeSync(handle);
  }
}
