import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { flushPath } from "../lib/write-file.ts";
import { databaseFile } from "./database-files.ts";

/**
 * Returns a description of the database file, which a clean shutdown records; undefined if commits
 * are missing in the file. A copy, a restored backup or a rewritten file has another description.
 */
function describeFile(dataDir: string): string | undefined {
  const file = databaseFile(dataDir);
  try {
    // Commits in the write-ahead log are not in the file yet.
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (log && log.size > 0) return undefined;
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}\n`;
  } catch {
    return undefined;
  }
}

function noteOf(dataDir: string): string {
  return `${databaseFile(dataDir)}-clean`;
}

/**
 * Records a clean shutdown; called after the gateway has closed the database. If the record cannot
 * be written, or a command's commits are still in the log, the next start first reads the whole
 * file.
 */
export function noteCleanEnd(dataDir: string): void {
  const description = describeFile(dataDir);
  if (description === undefined) return;
  const fresh = `${noteOf(dataDir)}.new`;
  try {
    writeFileSync(fresh, description, { mode: 0o600, flush: true });
    renameSync(fresh, noteOf(dataDir));
    flushPath(dataDir);
  } catch {
    rmSync(fresh, { force: true });
  }
}

/**
 * Deletes the record at a start, before the database is written, so that no record remains after a
 * power cut.
 * @returns whether the database is unchanged since the last clean shutdown
 */
export function takeCleanEnd(dataDir: string): boolean {
  const note = noteOf(dataDir);
  try {
    const noted = readFileSync(note, "utf8");
    rmSync(note);
    flushPath(dataDir);
    return noted === describeFile(dataDir);
  } catch {
    return false;
  }
}
