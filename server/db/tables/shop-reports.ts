import type { Language } from "../../contract/pos/setup.ts";
import type { ReportFormat, ReportKind } from "../../contract/pos/shop-reports.ts";
import type { Scoped } from "./columns.ts";

export interface ShopReportTables {
  shop_reports: ShopReportsTable;
  mails: MailsTable;
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
