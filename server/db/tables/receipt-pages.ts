import type { Generated } from "kysely";
import type { MessageChannel } from "../../contract/pos/receipt-pages.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { Scoped } from "./columns.ts";

export interface ReceiptPageTables {
  receipt_links: ReceiptLinksTable;
  receipt_sendings: ReceiptSendingsTable;
}

interface ReceiptLinksTable extends Scoped {
  link_id: string;
  /** SHA-256 of the token in the link. */
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
  details_shown: Generated<number>;
}

/** Receipts sent to customers; one row per message. */
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
  channel: MessageChannel | null;
  receiver: string | null;
  failures: Generated<number>;
}
