import type { Generated } from "kysely";
import type { MessageChannel } from "../../contract/pos/receipt-pages.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { Scoped } from "./columns.ts";

/** Receipts as pages that customers open. */
export interface ReceiptPageTables {
  receipt_page_settings: ReceiptPageSettingsTable;
  receipt_links: ReceiptLinksTable;
  receipt_sendings: ReceiptSendingsTable;
}

interface ReceiptPageSettingsTable {
  account_id: string;
  enabled: number;
  /** Where customers reach the gateway; empty where the owner named none. */
  public_url: string;
  keep_days: number;
  /** Whether a PIN or code may stand in a mail. */
  details_in_mail: number;
}

interface ReceiptLinksTable extends Scoped {
  link_id: string;
  /** SHA-256 of what stands in the link. */
  token_hash: string;
  sale_id: string;
  staff_id: string;
  language: Language;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  revoked_by: string | null;
  views: Generated<number>;
  first_viewed_at: number | null;
  last_viewed_at: number | null;
  /** How often a PIN or code was shown on the page. */
  details_shown: Generated<number>;
}

/** What was asked to be sent to a customer, each once. */
interface ReceiptSendingsTable extends Scoped {
  sending_id: string;
  sale_id: string;
  way: "EMAIL" | "MESSAGE";
  recipient: string;
  link_id: string | null;
  mail_id: string | null;
  staff_id: string;
  language: Language;
  state: "WAITING" | "SENT" | "FAILED";
  fault: string | null;
  created_at: number;
  ended_at: number | null;
  /** Of a message. */
  channel: MessageChannel | null;
  /** The host that a message was handed over to. */
  receiver: string | null;
  /** Attempts to hand a message over that failed. */
  failures: Generated<number>;
}
