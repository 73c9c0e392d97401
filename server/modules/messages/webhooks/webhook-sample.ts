import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import {
  RECEIPT_MESSAGE_SAMPLE,
  type ReceiptMessage,
} from "../../../contract/pos/receipt-pages.ts";
import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import recorded from "../../../http/record-samples.json" with { type: "json" };

const TEST_TRANSACTION_ID = "tillgate-test-message";

export function makeSample(kind: WebhookKind): string {
  if (kind === "RECEIPT") {
    const test: ReceiptMessage = { ...RECEIPT_MESSAGE_SAMPLE, event: "receipt.test" };
    return JSON.stringify(test);
  }
  const record = kind === "TRANSACTION" ? "Transaction" : `${FAMILY_FACTS[kind].name}Purchase`;
  const sample = Object.entries(recorded).find(([title]) => title === record)?.[1];
  if (typeof sample !== "object") throw new Error(`there is no sample of ${record}`);
  return JSON.stringify({ ...sample, transactionId: TEST_TRANSACTION_ID });
}
