import type { Generated } from "kysely";

/** State of the database file. */
export interface StorageTables {
  storage_findings: StorageFindingsTable;
  commit_count: CommitCountTable;
  write_probes: WriteProbesTable;
  second_backup_places: SecondBackupPlacesTable;
  program_versions: ProgramVersionsTable;
  shared_memory: SharedMemoryTable;
  key_files: KeyFilesTable;
  exports_begun: ExportsBegunTable;
  commit_marks: CommitMarksTable;
  database_identity: DatabaseIdentityTable;
  recovery_kits: RecoveryKitsTable;
  restore_reviews: RestoreReviewsTable;
}

/** Errors that were found; at most one of a kind is open. */
interface StorageFindingsTable {
  finding_id: Generated<number>;
  /** BOOKS: found by the audit of a start. MISSING: the file is older than the last commit. */
  kind: "BOOKS" | "MISSING";
  found_at: number;
  detail_json: string;
  /** When it no longer applied, or the owner had confirmed it. */
  settled_at: number | null;
}

/** One row. */
interface CommitCountTable {
  one: 1;
  /** Transactions of the database that changed anything. */
  commits: number;
  /** Rows that were ever in `transactions`. */
  transactions: number;
  committed_at: number;
}

/** One row, written to test whether writes work. */
interface WriteProbesTable {
  one: 1;
  filler: Uint8Array;
}

/** The shared memory of the processes on one PostgreSQL (`shared-memory.ts`); empty in a file. */
interface SharedMemoryTable {
  topic: string;
  name: string;
  /** A count, or the number of replacements of the content. */
  number: number;
  /** JSON, encrypted; null for a count. */
  content: string | null;
  expires_at: number;
}

/** At most one row: the key file of all processes on one PostgreSQL; none in a file. */
interface KeyFilesTable {
  one: 1;
  key_id: string;
}

/** At most one row: how often an export had the PostgreSQL alone; none in a file. */
interface ExportsBegunTable {
  one: 1;
  number: number;
}

/** The last commit of each writing connection to a PostgreSQL (`postgres/history-watch.ts`); none in a file. */
interface CommitMarksTable {
  /** `<process>:<number of the connection>` */
  mark_id: string;
  commits: number;
  committed_at: number;
}

/** At most one row: the identity of the server and the database; none in a file. */
interface DatabaseIdentityTable {
  one: 1;
  identity: string;
}

/** The folder that backups are copied to, at most one for each account, in its last known state. */
interface SecondBackupPlacesTable {
  account_id: string;
  dir: string;
  /** Number of backups that are not copied yet. */
  missing: number;
  copied_at: number | null;
  problem_kind: "AWAY" | "FULL" | "FAILED" | null;
  problem_text: string | null;
  /** Start of the problem. */
  problem_at: number | null;
}

/** Versions of the program that worked on the database, in order. */
interface ProgramVersionsTable {
  entry_id: Generated<number>;
  /** STARTED: it works, once for each change of version. MIGRATED: it changed the tables. */
  kind: "STARTED" | "MIGRATED";
  version: string;
  recorded_at: number;
  /** Path of the backup from before it changed the tables; null if none was necessary. */
  backup: string | null;
  /** The number of commits after the change of the tables. */
  commits: number | null;
}

/**
 * The recovery kits that each new backup carries. Each account has at most one that a person confirmed, and one draft:
 * a kit whose sheet may not be printed yet.
 */
interface RecoveryKitsTable {
  account_id: string;
  is_draft: 0 | 1;
  kit_id: string;
  /** The id of the key file in the kit. */
  key_id: string;
  made_at: number;
  /** A `SealedKit`. */
  content_json: string;
}

/** A restore that could not carry revocations over; an owner confirms the returned access once. */
interface RestoreReviewsTable {
  account_id: string;
  restored_at: number;
  taken_at: number;
  /** Ids of the access that came back (`ReturnedAccess`); null if the replaced database could not be compared. */
  returned_json: string | null;
}
