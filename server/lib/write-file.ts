import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file atomically: a reader sees either the old or the new content.
 * @param mode permissions; by default, every user can read the file
 */
export async function writeFileWhole(path: string, text: string, mode?: number): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

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
