import type { Generated } from "kysely";

/** What the database knows about its own file. */
export interface StorageTables {
  storage_findings: StorageFindingsTable;
  commit_count: CommitCountTable;
  write_probes: WriteProbesTable;
}

/** What was found wrong; at most one of a kind is open. */
interface StorageFindingsTable {
  finding_id: Generated<number>;
  /** BOOKS: the audit of a start. MISSING: the file is older than what was committed. */
  kind: "BOOKS" | "MISSING";
  found_at: number;
  detail_json: string;
  /** When it no longer held, or the owner had confirmed it. */
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

/** One row, written to see whether anything can be. */
interface WriteProbesTable {
  one: 1;
  filler: Uint8Array;
}
