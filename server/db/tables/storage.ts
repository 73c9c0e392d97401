import type { Generated } from "kysely";

export interface StorageTables {
  storage_findings: StorageFindingsTable;
  commit_count: CommitCountTable;
  program_versions: ProgramVersionsTable;
  shared_memory: SharedMemoryTable;
  key_files: KeyFilesTable;
  exports_begun: ExportsBegunTable;
  commit_marks: CommitMarksTable;
  database_identity: DatabaseIdentityTable;
  recovery_kits: RecoveryKitsTable;
}

/** Errors that were found. At most one error of each kind is not settled. */
interface StorageFindingsTable {
  finding_id: Generated<number>;
  /**
   * BOOKS: the audit at a start found an error. MISSING: the file is older than
   * the last recorded commit.
   */
  kind: "BOOKS" | "MISSING";
  found_at: number;
  detail_json: string;
  /** Time at which the error disappeared or an owner confirmed it. */
  settled_at: number | null;
}

interface CommitCountTable {
  one: 1;
  /** Number of transactions that changed the database. */
  commits: number;
  /** Number of rows that were ever in `transactions`. */
  transactions: number;
  committed_at: number;
}

/**
 * Memory that the processes on one PostgreSQL database share (`shared-memory.ts`); empty on SQLite.
 */
interface SharedMemoryTable {
  topic: string;
  name: string;
  /** A count, or the number of replacements of the content. */
  number: number;
  /** Encrypted JSON; null for a count. */
  content: string | null;
  expires_at: number;
}

/** At most one row: the key file of all processes on one PostgreSQL database; empty on SQLite. */
interface KeyFilesTable {
  one: 1;
  key_id: string;
}

/**
 * At most one row: number of exports that had the PostgreSQL database to themselves; empty on
 * SQLite.
 */
interface ExportsBegunTable {
  one: 1;
  number: number;
}

/**
 * Last commit of each connection that writes to PostgreSQL
 * (`postgres/history-watch.ts`); empty on SQLite.
 */
interface CommitMarksTable {
  /** `<process>:<number of the connection>` */
  mark_id: string;
  commits: number;
  committed_at: number;
}

/** At most one row: identity of the server and the database; empty on SQLite. */
interface DatabaseIdentityTable {
  one: 1;
  identity: string;
}

/** Program versions that have worked on the database, in order. */
interface ProgramVersionsTable {
  entry_id: Generated<number>;
  /**
   * STARTED: the version has started; one row per change of version. MIGRATED: the version changed
   * the tables.
   */
  kind: "STARTED" | "MIGRATED";
  version: string;
  recorded_at: number;
  /** Path of the backup made before the migration; null if none was necessary. */
  backup: string | null;
  /** Number of commits after the migration. */
  commits: number | null;
}

/**
 * Recovery kits, which each new backup contains. Each account has at most one confirmed kit, and at
 * most one draft, whose sheet is perhaps not printed yet.
 */
interface RecoveryKitsTable {
  account_id: string;
  is_draft: 0 | 1;
  kit_id: string;
  /** Id of the key file that the kit contains. */
  key_id: string;
  made_at: number;
  /** JSON of a `SealedKit`. */
  content_json: string;
}
