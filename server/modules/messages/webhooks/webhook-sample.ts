import {
  RECEIPT_MESSAGE_SAMPLE,
  type ReceiptMessage,
} from "../../../contract/pos/receipt-pages.ts";
import {
  CATALOG_MESSAGE_SAMPLE,
  recordOf,
  type WebhookKind,
} from "../../../contract/pos/webhooks.ts";
import recorded from "../../../http/record-samples.json" with { type: "json" };

const TEST_TRANSACTION_ID = "tillgate-test-message";

/** Start of the subject of a sample. No id of a transaction contains a colon. */
export const SAMPLE_PREFIX = "sample:";

export function makeSample(kind: WebhookKind): string {
  if (kind === "RECEIPT") {
    const test: ReceiptMessage = { ...RECEIPT_MESSAGE_SAMPLE, event: "receipt.test" };
    return JSON.stringify(test);
  }
  if (kind === "CATALOG") return JSON.stringify(CATALOG_MESSAGE_SAMPLE);
  const record = recordOf(kind);
  const sample = Object.entries(recorded).find(([title]) => title === record)?.[1];
  if (typeof sample !== "object") throw new Error(`there is no sample of ${record}`);
  const mark = "transactionId" in sample ? { transactionId: TEST_TRANSACTION_ID } : {};
  return JSON.stringify({ ...sample, ...mark });
}
