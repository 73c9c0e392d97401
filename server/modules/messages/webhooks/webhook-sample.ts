import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import {
  RECEIPT_MESSAGE_SAMPLE,
  type ReceiptMessage,
} from "../../../contract/pos/receipt-pages.ts";
import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import { RECORD_SAMPLES } from "../../../http/record-samples.ts";

/** The transaction that a test message tells of: there is none. */
const TEST_TRANSACTION_ID = "tillgate-test-message";

/** The body of a test message: the record that the API's description shows for its kind. */
export function sampleOf(kind: WebhookKind): string {
  if (kind === "RECEIPT") {
    const test: ReceiptMessage = { ...RECEIPT_MESSAGE_SAMPLE, event: "receipt.test" };
    return JSON.stringify(test);
  }
  const record = kind === "TRANSACTION" ? "Transaction" : `${FAMILY_FACTS[kind].name}Purchase`;
  const sample = RECORD_SAMPLES[record];
  if (typeof sample !== "object") throw new Error(`there is no sample of ${record}`);
  return JSON.stringify({ ...sample, transactionId: TEST_TRANSACTION_ID });
}
