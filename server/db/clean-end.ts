import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { flushPath } from "../lib/flush-path.ts";
import { databaseFile } from "./database-files.ts";

/**
 * Names the file that a gateway left behind when it ended in order: this very file, as nobody has
 * touched it since. A copy, a restored backup and a file that was written again are others.
 */
function describeFile(dataDir: string): string | undefined {
  const file = databaseFile(dataDir);
  try {
    // What is in the log of writes is not in the file.
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
 * Notes that the database was closed in order: to be called when the gateway has it open no more. Where
 * that cannot be written, or a command left commits in the log, the next start reads the whole file first.
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
 * Takes the note away, before anything is written: after a power cut there is none.
 * @returns whether the database is exactly as a gateway left it that ended in order
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
