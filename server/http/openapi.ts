import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import { RECEIPT_MESSAGE_SAMPLE, ReceiptMessage } from "../contract/pos/receipt-pages.ts";
import { CATALOG_MESSAGE_SAMPLE, CatalogMessage, recordOf } from "../contract/pos/webhooks.ts";
import { completeDocument, TAGGED } from "./openapi-document.ts";
import { RECORD_SAMPLES } from "./openapi-examples.ts";
import { OWN_COMPILERS } from "./serialization.ts";

/** Style of the page. Its darker colours make all text readable. */
const READABLE = `
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b5cad; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14713f; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5160; }
.swagger-ui .info a, .swagger-ui .info .base-url, .swagger-ui .info .url { color: #0b5cad; }
.swagger-ui .btn.authorize { color: #14713f; border-color: #14713f; }
.swagger-ui .btn.authorize svg { fill: #14713f; }
.swagger-ui .btn.execute { background: #0b5cad; border-color: #0b5cad; }
/* There is one server: the one that serves this page. */
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none; }
`;

const DESCRIPTION = `Prepaid products over REST: mobile top-ups, bundles and data, gift cards and utility
vouchers, eSIMs and bills, paid from a wallet.

Two environments, each with keys of its own: \`test\`, where nothing real is sent, and \`live\`. Send the key
with every request as \`Authorization: Bearer <API_KEY>\`.

A purchase is carried out after it was accepted: poll it by its \`transactionId\` until its status is \`DONE\` or
\`FAILED\`. Amounts are integers in minor units; divide by the divisor beside them to show them. Times are
RFC 3339, UTC.`;

/**
 * Builds the description and its page in a separate application, because few gateways need them.
 * @param routes routes of `/v1` and `/sandbox/v1`
 */
export async function makeDocs(
  routes: readonly RouteOptions[],
  version: string,
): Promise<FastifyInstance> {
  const docs = fastify({ exposeHeadRoutes: false, schemaController: OWN_COMPILERS });
  docs.setValidatorCompiler(() => () => true);
  docs.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await docs.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tillgate gateway",
        version: "1.0.0",
        summary: `Served by Tillgate ${version}`,
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
        contact: { name: "The owner of this gateway" },
      },
      servers: [{ url: "/", description: "This gateway" }],
      components: {
        securitySchemes: {
          ApiKey: {
            type: "http",
            scheme: "bearer",
            description:
              "A key of the test or of the live environment, or of a sandbox: test_…, live_… or sandbox_…",
          },
        },
      },
      security: [{ ApiKey: [] }],
      tags: [
        { name: "Account", description: "The wallet" },
        { name: "Brands", description: "Brands of the offers" },
        ...FAMILIES.map((family) => {
          const { tag, about } = FAMILY_FACTS[family];
          return { name: tag, description: about };
        }),
        { name: "Transactions", description: "Every movement of the wallet" },
        { name: "Promotions", description: "Temporary bonuses of carriers" },
        { name: "Tools", description: "Lookup of phone numbers" },
        { name: "Reports", description: "Finished transactions of a period, as a file" },
        {
          name: "Sandbox",
          description: "Clock, outcomes, wallet and webhook of a sandbox: 404 without its key",
        },
      ],
    },
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, ...(route.config?.catalogAnswer && { [TAGGED]: true }) },
      url,
    }),
    transformObject: (described) => {
      if (!("openapiObject" in described)) throw new Error("the description is not OpenAPI 3");
      return completeDocument(described.openapiObject as never, describeWebhooks());
    },
  });
  await registerDocsPage(docs);
  for (const { method, url, schema, config = {} } of routes) {
    docs.route({ method, url, config, ...(schema && { schema }), handler: () => undefined });
  }
  await docs.ready();
  return docs;
}

/**
 * Serves the page at `/docs/api`, on which `/v1` can be tried with a key. Must be registered after the
 * description. The gateway's content security policy applies instead of the page's own, which is
 * less strict.
 */
async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: "/docs/api",
    theme: {
      title: "Tillgate API",
      css: [{ filename: "readable.css", content: READABLE }],
    },
    uiConfig: {
      // This layout has no bar for loading other descriptions.
      layout: "BaseLayout",
      docExpansion: "list",
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // The page does not store a typed key.
      persistAuthorization: false,
      validatorUrl: null,
    },
  });
}

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

const MESSAGE_HEADERS = [
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
      parameters: MESSAGE_HEADERS,
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
      parameters: MESSAGE_HEADERS,
      requestBody: { required: true, content: { "application/json": media } },
      responses: { 200: TAKEN, "4XX": { description: "Not accepted: the message is repeated." } },
    },
  };
}

function describeWebhooks() {
  const results = [...RESULTS, ...EVENTS].map(({ name, kind, tag, summary, sent }) => [
    name,
    {
      post: {
        operationId: name,
        summary,
        description: `${sent} ${REPEATED}`,
        tags: [tag],
        security: [],
        parameters: MESSAGE_HEADERS,
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
      parameters: MESSAGE_HEADERS,
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
