import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Flushes a file, or the names in a directory, to the disk. On Windows, directories cannot be
 * opened, and Windows flushes names itself.
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
    // Some file systems cannot flush. The next start detects a lost write by the commit counter.
  } finally {
    closeSync(handle);
  }
}
