import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import { RECEIPT_MESSAGE_SAMPLE, ReceiptMessage } from "../contract/pos/receipt-pages.ts";
import { CATALOG_MESSAGE_SAMPLE, CatalogMessage, recordOf } from "../contract/pos/webhooks.ts";
import { RECORD_SAMPLES } from "./openapi-examples.ts";

/**
 * Webhooks that send a purchase's result. The body equals the GET response for the purchase
 * (rules#webhook-body).
 */
const RESULTS = FAMILIES.map((family) => {
  const { name, tag, words } = FAMILY_FACTS[family];
  const begin = name.charAt(0).toLowerCase() + name.slice(1);
  const sent = "Sent when the purchase is DONE or FAILED.";
  return {
    name: `${begin}Result`,
    kind: family,
    tag,
    summary: `Result of ${words} purchase`,
    sent,
  };
});

const EVENTS = [
  {
    name: "refundResult",
    kind: "REFUND",
    tag: "eSIM",
    summary: "Result of a refund",
    sent: "Sent when the refund is DONE or FAILED. The body equals the GET response for the refund.",
  },
  {
    name: "reportResult",
    kind: "REPORT",
    tag: "Reports",
    summary: "End of a report",
    sent: "Sent when the report is Ready or FAILED. The body equals its GET response at the address of its request.",
  },
  {
    name: "balanceLow",
    kind: "BALANCE",
    tag: "Account",
    summary: "A low balance",
    sent: "Sent once when the wallet is empty or under the owner's limit. In a sandbox, the limit is 10.00. The body equals the GET response for the balance.",
  },
  {
    name: "promotionChanged",
    kind: "PROMOTION",
    tag: "Promotions",
    summary: "A new or changed promotion",
    sent: "Sent after an update of the catalog, once for each new or changed promotion. The body equals the GET response for the promotion.",
  },
] as const;

function header(name: string, description: string, example: string) {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example };
}

const HEADERS = [
  header("webhook-id", "Id of the message, equal for every repeat", "msg_0e37df36f698"),
  header("webhook-timestamp", "Send time in seconds since 1970", "1768469401"),
  header(
    "webhook-signature",
    "HMAC-SHA256 of `id.timestamp.body` with the webhook's secret: `v1,` and base64",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  header("webhook-kind", "Kind of the message. The signature does not cover it", "TOPUP"),
  {
    ...header("webhook-sample", "Present on samples, which are about nothing real", "true"),
    required: false,
  },
];

function bodyOf(record: string) {
  const schema = { $ref: `#/components/schemas/${record}` };
  const media = { schema, example: RECORD_SAMPLES[record] };
  return { required: true, content: { "application/json": media } };
}

const REPEATED =
  "Repeated after 1 s, 10 s, 1 min, 10 min, 30 min, 1 h, 3 h, 6 h and 12 h until accepted.";

const TAKEN = { description: "Accepted: any status from 200 to 299, within 10 seconds." };

function receiptSending() {
  const media = { schema: ReceiptMessage, example: RECEIPT_MESSAGE_SAMPLE };
  return {
    post: {
      operationId: "receiptSending",
      summary: "Send a receipt to a customer's phone",
      description:
        "Sent when a clerk requests it, if a webhook of kind RECEIPT is registered. Repeated like results until accepted. `receipt.test` marks an owner's test: send nothing.",
      tags: ["Transactions"],
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { "application/json": media } },
      responses: { 200: TAKEN, "4XX": { description: "Not accepted: the message is repeated." } },
    },
  };
}

function catalogChanged() {
  const media = { schema: CatalogMessage, example: CATALOG_MESSAGE_SAMPLE };
  return {
    post: {
      operationId: "catalogChanged",
      summary: "Changed offers",
      description: `Sent once after each update of the catalog that added, changed or removed offers: read the offers again. ${REPEATED}`,
      tags: ["Brands"],
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { "application/json": media } },
      responses: { 200: TAKEN, "4XX": { description: "Not accepted: the message is repeated." } },
    },
  };
}

export function describeWebhooks() {
  const results = [...RESULTS, ...EVENTS].map(({ name, kind, tag, summary, sent }) => [
    name,
    {
      post: {
        operationId: name,
        summary,
        description: `${sent} ${REPEATED}`,
        tags: [tag],
        security: [],
        parameters: HEADERS,
        requestBody: bodyOf(recordOf(kind)),
        responses: { 200: TAKEN, "4XX": { description: "Not accepted: the message is repeated." } },
      },
    },
  ]);
  const verification = {
    post: {
      operationId: "transactionVerification",
      summary: "Verify a transaction",
      description:
        "Sent once before any money moves, while the purchase is PENDING, if a webhook of kind TRANSACTION is registered. Any other response, or none within 20 seconds, fails the purchase with VERIFICATION_TIMEOUT.",
      tags: ["Transactions"],
      security: [],
      parameters: HEADERS,
      requestBody: bodyOf("Transaction"),
      responses: {
        200: { description: "The purchase continues: any status from 200 to 299." },
        404: { description: "The purchase is blocked and fails with VERIFICATION_BLOCKED." },
      },
    },
  };
  return Object.fromEntries([
    ...results,
    ["catalogChanged", catalogChanged()],
    ["receiptSending", receiptSending()],
    ["transactionVerification", verification],
  ]) as object;
}
