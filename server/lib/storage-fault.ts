/** Error codes of a disk that cannot be read, or that returns wrong data. */
const UNREADABLE = /^(SQLITE_(IOERR(_READ|_SHORT_READ)?$|CORRUPT|NOTADB)|58|XX)/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** Error codes of values that a column cannot store: of SQLite, and classes 22 and 23 of SQLSTATE. */
const REFUSED_ROW = /^(SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)|2[23]...$)/;
const FULL = /^(SQLITE_FULL|53100|ENOSPC|EDQUOT)/;

export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.test(codeOf(error));
}

/** Returns whether an error shows that a file of SQLite is damaged. */
export function isDamagedFile(error: unknown): boolean {
  return DAMAGED.test(codeOf(error));
}

/** Returns whether the database refused the values of a row. */
export function isRefusedRow(error: unknown): boolean {
  return REFUSED_ROW.test(codeOf(error));
}

export function isDiskFull(error: unknown): boolean {
  return FULL.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Descriptions of disk errors, by prefix of the error code. */
const FAULTS: [prefix: string, words: string][] = [
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_READONLY", "the database cannot be written"],
  ["SQLITE_IOERR", "the disk cannot be read or written"],
  ["SQLITE_CANTOPEN", "the database cannot be opened"],
  ["SQLITE_CORRUPT", "the database is damaged"],
  ["SQLITE_NOTADB", "the file is not a database"],
  ["SQLITE_BUSY", "another process holds the database"],
  ["TILLGATE_STANDBY", "the database server is a standby, which cannot be written"],
  [
    "TILLGATE_POOLED",
    "a pooler between Tillgate and the database server does not keep connections for a session",
  ],
  // SQLSTATE codes of PostgreSQL, and errors of connections to it.
  ["53100", "the disk of the database server is full"],
  ["53", "the database server has no resources left"],
  ["57014", "the database server ends statements before they are done"],
  ["26000", "a pooler between Tillgate and the database server loses prepared statements"],
  ["42P05", "a pooler between Tillgate and the database server mixes up prepared statements"],
  ["57P", "the database server is shutting down or starting"],
  ["58", "the database server cannot read or write its disk"],
  ["XX001", "the database is damaged"],
  ["25006", "the database cannot be written"],
  ["08", "the database server cannot be reached"],
  ["ECONNREFUSED", "the database server cannot be reached"],
  ["TILLGATE_DATABASE_GONE", "the data directory was deleted or replaced while Tillgate ran"],
  ["TILLGATE_DATABASE_TAKEN", "the shop is just being moved"],
  [
    "TILLGATE_SHOP_EXPORTED",
    "the shop was exported while Tillgate was not connected to the database server: start it again only where the shop goes on",
  ],
  ["TILLGATE_ROW_DAMAGED", "a fault of the disk changed what was stored of it"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["ESTALE", "the network disk is gone"],
  ["EROFS", "the disk cannot be written"],
  ["EIO", "the disk cannot be read or written"],
  ["EMFILE", "too many files or connections are open"],
  ["ENFILE", "too many files or connections are open"],
];

/** Describes an error of the disk or the database. Returns undefined for other errors. */
export function describeStorageFault(error: unknown): string | undefined {
  const code = codeOf(error);
  return FAULTS.find(([prefix]) => code.startsWith(prefix))?.[1];
}

const FILE_FAULTS: Record<string, string> = {
  ENOENT: "there is no such file or directory",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "no room is left on the disk for this user",
  EIO: "the disk cannot be read or written",
  ESTALE: "the network disk is gone",
  ENOTCONN: "the network disk is gone",
  ENODEV: "the disk is gone",
  ENXIO: "the disk is gone",
  EBUSY: "another program uses it",
  ETXTBSY: "another program uses it",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files or connections are open",
  ENFILE: "too many files or connections are open",
  ERR_FS_FILE_TOO_LARGE: "it is too large",
};

export function describeFileFault(error: unknown): string {
  const code = codeOf(error);
  return FILE_FAULTS[code] ?? (code || String(error));
}
