/** What ails the disk, by the beginning of SQLite's error code. */
const FAULTS: [prefix: string, words: string][] = [
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_READONLY", "the database cannot be written"],
  ["SQLITE_IOERR", "the disk cannot be read or written"],
  ["SQLITE_CANTOPEN", "the database cannot be opened"],
  ["SQLITE_CORRUPT", "the database is damaged"],
  ["SQLITE_NOTADB", "the file is not a database"],
  ["SQLITE_BUSY", "another process holds the database"],
];

/** In words, a fault of the disk or the database file; undefined for any other error. */
export function describeStorageFault(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return FAULTS.find(([prefix]) => code.startsWith(prefix))?.[1];
}
