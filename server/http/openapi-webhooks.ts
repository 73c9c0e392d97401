import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import { RECEIPT_MESSAGE_SAMPLE, ReceiptMessage } from "../contract/pos/receipt-pages.ts";
import { RECORD_SAMPLES } from "./openapi-examples.ts";

/** The results that are sent, each as reading the purchase would show it (rules#webhook-body). */
const RESULTS = FAMILIES.map((family) => {
  const { name, tag, words } = FAMILY_FACTS[family];
  const begin = name.charAt(0).toLowerCase() + name.slice(1);
  return { name: `${begin}Result`, record: `${name}Purchase`, tag, of: words };
});

function header(name: string, description: string, example: string) {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example };
}

/** Of the Standard Webhooks specification. */
const HEADERS = [
  header("webhook-id", "Names the message; the same when it is sent again", "msg_0e37df36f698"),
  header("webhook-timestamp", "When it was sent: seconds since 1970", "1768469401"),
  header(
    "webhook-signature",
    "HMAC-SHA256 of `id.timestamp.body` with the webhook's secret: `v1,` and base64",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

function bodyOf(record: string) {
  const schema = { $ref: `#/components/schemas/${record}` };
  const media = { schema, example: RECORD_SAMPLES[record] };
  return { required: true, content: { "application/json": media } };
}

const TAKEN = { description: "Taken: any status from 200 to 299, within 10 seconds." };

/** A receipt that is handed over, for the shop's own system to send to a customer. */
function receiptSending() {
  const media = { schema: ReceiptMessage, example: RECEIPT_MESSAGE_SAMPLE };
  return {
    post: {
      operationId: "receiptSending",
      summary: "A receipt is to be sent to a customer's phone",
      description:
        "Sent when a clerk asks for it, where a webhook of kind RECEIPT is registered; sent again as results are until it is taken. `receipt.test` is an owner's test: send nothing.",
      tags: ["Transactions"],
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { "application/json": media } },
      responses: { 200: TAKEN, "4XX": { description: "Not taken: it is sent again." } },
    },
  };
}

/** `webhooks` of the document: what this gateway sends to addresses that its owner registers. */
export function describeWebhooks() {
  const results = RESULTS.map(({ name, record, tag, of }) => [
    name,
    {
      post: {
        operationId: name,
        summary: `The result of ${of} purchase`,
        description:
          "Sent when the purchase is DONE or FAILED; sent again after 1 s, 10 s, 1 min, 10 min, 30 min, 1 h, 3 h, 6 h and 12 h until it is taken.",
        tags: [tag],
        security: [],
        parameters: HEADERS,
        requestBody: bodyOf(record),
        responses: { 200: TAKEN, "4XX": { description: "Not taken: it is sent again." } },
      },
    },
  ]);
  const verification = {
    post: {
      operationId: "transactionVerification",
      summary: "A transaction waits to be verified",
      description:
        "Asked once before any money moves, while the purchase is PENDING, where a webhook of kind TRANSACTION is registered. Anything but the answers below, or none within 20 seconds, fails it with VERIFICATION_TIMEOUT.",
      tags: ["Transactions"],
      security: [],
      parameters: HEADERS,
      requestBody: bodyOf("Transaction"),
      responses: {
        200: { description: "It goes on: any status from 200 to 299." },
        404: { description: "It is blocked and fails with VERIFICATION_BLOCKED." },
      },
    },
  };
  return Object.fromEntries([
    ...results,
    ["receiptSending", receiptSending()],
    ["transactionVerification", verification],
  ]) as object;
}
