import type { Language } from "../../contract/pos/setup.ts";
import type { ReportFormat, ReportKind } from "../../contract/pos/shop-reports.ts";
import type { Scoped } from "./columns.ts";

/** Reports of the shop's figures, their schedules, and the shop's mail. */
export interface ShopReportTables {
  shop_reports: ShopReportsTable;
  report_schedules: ReportSchedulesTable;
  accounting_settings: AccountingSettingsTable;
  mail_servers: MailServersTable;
  mails: MailsTable;
}

/** Reports of days of the shop; their files are in the data directory. */
interface ShopReportsTable extends Scoped {
  report_id: string;
  kind: ReportKind;
  format: ReportFormat;
  /** Days of the shop, both included, such as 2026-01-31. */
  first_day: string;
  last_day: string;
  state: "REQUESTED" | "READY" | "FAILED";
  file_name: string | null;
  fault: string | null;
  /** The person who requested it; null for one of a schedule. */
  staff_id: string | null;
  schedule_id: string | null;
  /** Language of the document of a day; null for a document without words. */
  language: Language | null;
  created_at: number;
  finished_at: number | null;
}

interface ReportSchedulesTable extends Scoped {
  schedule_id: string;
  schedule_json: string;
  /** The time of its next check; null while it is off. */
  next_at: number | null;
  /** The last day of its last report, so that no day is sent twice. */
  last_day: string | null;
  /** The reason why the last file was not copied into its folder. */
  fault: string | null;
}

interface AccountingSettingsTable {
  account_id: string;
  settings_json: string;
}

/** The server that sends the shop's mail. */
interface MailServersTable {
  account_id: string;
  host: string;
  port: number;
  security: "TLS" | "STARTTLS" | "NONE";
  user_name: string;
  password_sealed: string | null;
  from_address: string;
}

/** Mails to send, and sent ones. */
interface MailsTable {
  account_id: string;
  mail_id: string;
  recipients_json: string;
  subject: string;
  body: string;
  /** A file of the data directory's `reports`, and its name in the mail. */
  file_name: string | null;
  attachment_name: string | null;
  /** Data that its text is made from when it is sent; null if `body` is the text. */
  made_of: string | null;
  state: "WAITING" | "SENT" | "FAILED";
  /** The last error. */
  fault: string | null;
  created_at: number;
  sent_at: number | null;
  /** When it was last requested again after a failure. */
  again_at: number | null;
  /** 1 if it failed because the shop's server did not accept it in time. */
  given_up: number;
}
