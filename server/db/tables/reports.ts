import type { Generated } from "kysely";
import type { Language } from "../../contract/pos/setup.ts";
import type { ReportFormat, ReportKind } from "../../contract/pos/shop-reports.ts";
import type { Sum } from "../figure-columns.ts";
import type { Scoped } from "./columns.ts";

export interface ReportTables {
  reports: ReportsTable;
  report_parts: FilesOfReportsTable;
  day_figures: DayFiguresTable;
  shop_reports: ShopReportsTable;
  mails: MailsTable;
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

interface DayFiguresTable extends Scoped, Record<Sum, number> {
  dimension: "ALL" | "TENDER" | "FAMILY" | "BRAND" | "COUNTRY" | "CLERK" | "TILL";
  /**
   * Quarter hours since 1970. For dimensions other than `ALL` and `TENDER`, there is one row per
   * value and UTC day, at the day's first quarter hour.
   */
  quarter: number;
  /**
   * For `TENDER`: the kind, a space, and the id of a tender that the owner added. For `BRAND`: the
   * brand and, after a line break, the provider unless it is the first. Empty for `ALL`.
   */
  value: string;
  currency: string;
  /** Total of all sums, by which a damaged row is detected. */
  check_sum: number;
}

/** Reports of business days. Their files are in the data directory. */
interface ShopReportsTable extends Scoped {
  report_id: string;
  kind: ReportKind;
  format: ReportFormat;
  /** First and last business day, both included, such as 2026-01-31. */
  first_day: string;
  last_day: string;
  state: "REQUESTED" | "READY" | "FAILED";
  file_name: string | null;
  fault: string | null;
  /** The person who requested the report; null for a scheduled report. */
  staff_id: string | null;
  schedule_id: string | null;
  /** Language of a document; null for a file without words. */
  language: Language | null;
  created_at: number;
  finished_at: number | null;
}

interface MailsTable {
  account_id: string;
  mail_id: string;
  recipients_json: string;
  subject: string;
  body: string;
  /** A file in the data directory's folder `reports`, and its name in the mail. */
  file_name: string | null;
  attachment_name: string | null;
  /** Data from which the text is made at sending; null if `body` is the text. */
  made_of: string | null;
  state: "WAITING" | "SENT" | "FAILED";
  fault: string | null;
  created_at: number;
  sent_at: number | null;
  /** Time of the last request to send the mail again after a failure. */
  again_at: number | null;
  /** 1 if the mail failed because the mail server did not accept it in time. */
  given_up: number;
}
