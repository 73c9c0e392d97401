import type { Generated } from "kysely";
import type { Scoped } from "./columns.ts";

export interface ReportTables {
  reports: ReportsTable;
  report_parts: FilesOfReportsTable;
}

/**
 * Transaction reports (rules#report-states). Their files are in the data directory, or in
 * `report_parts` if several processes serve them.
 */
interface ReportsTable extends Scoped {
  report_id: string;
  status: "REQUESTED" | "Ready" | "FAILED";
  start_gte: number;
  end_lt: number;
  file_name: string | null;
  error_code: string | null;
  error_description: string | null;
  error_message: string | null;
  /** Message of the last entry in the log; null while REQUESTED. */
  end_message: string | null;
  created_at: number;
  updated_at: number;
  /** Address of the gateway in the request; null for a report of an earlier version. */
  requested_at: Generated<string | null>;
}

/** Report files on PostgreSQL, including the shop's own reports; empty on SQLite. */
interface FilesOfReportsTable {
  file_name: string;
  /** Number of the part, from 0. */
  part: number;
  content: Uint8Array;
}
