import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Waits until a file, or the names in a directory, are on the disk, where the system can do that: Windows
 * opens no directory, and flushes its names by itself.
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
    // Some file systems cannot: what is noted is compared with the file when it is read.
  } finally {
    closeSync(handle);
  }
}
