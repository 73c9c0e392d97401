import type { Language } from "../../contract/pos/setup.ts";
import type { ReportFormat, ReportKind } from "../../contract/pos/shop-reports.ts";
import type { Scoped } from "./columns.ts";

/** Reports of the shop's figures, what is made by itself, and the shop's mail. */
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
  /** Who asked for it; null for one of a schedule. */
  staff_id: string | null;
  schedule_id: string | null;
  /** Of the document of a day; null for what has no words. */
  language: Language | null;
  created_at: number;
  finished_at: number | null;
}

interface ReportSchedulesTable extends Scoped {
  schedule_id: string;
  schedule_json: string;
  /** When it is looked at next; null while it is off. */
  next_at: number | null;
  /** The last day of its last report, so that no day is sent twice. */
  last_day: string | null;
  /** Why the last file did not get into its folder. */
  fault: string | null;
}

interface AccountingSettingsTable {
  account_id: string;
  settings_json: string;
}

/** The server that the shop's mail goes through. */
interface MailServersTable {
  account_id: string;
  host: string;
  port: number;
  security: "TLS" | "STARTTLS" | "NONE";
  user_name: string;
  password_sealed: string | null;
  from_address: string;
}

/** What is to be sent, and what was. */
interface MailsTable {
  account_id: string;
  mail_id: string;
  recipients_json: string;
  subject: string;
  body: string;
  /** A file of the data directory's `reports`, and the name it is sent under. */
  file_name: string | null;
  attachment_name: string | null;
  /** What its text is made of when it is sent; null where `body` is the text. */
  made_of: string | null;
  state: "WAITING" | "SENT" | "FAILED";
  /** What went wrong last. */
  fault: string | null;
  created_at: number;
  sent_at: number | null;
  /** When it was last asked for again, after it had failed. */
  again_at: number | null;
  /** 1 where it failed because the shop's server did not take it in all its time. */
  given_up: number;
}
