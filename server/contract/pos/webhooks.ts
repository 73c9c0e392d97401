import { type Static, Type } from "typebox";
import { Environment, Input, PLAIN_TEXT, Timestamp, TransactionId } from "../common.ts";
import { Paged, paging } from "../paging.ts";
import { FAMILIES, FAMILY_FACTS } from "./families.ts";
import { defineOperation, NOTHING } from "./operation.ts";

const EVENT_KINDS = ["REFUND", "REPORT", "BALANCE", "PROMOTION", "CATALOG"] as const;

/**
 * Kinds of webhooks: results of each family, finished refunds and reports, a low balance, changed
 * promotions and offers, receipts to send, and verification (rules#webhook-kinds).
 */
export const WEBHOOK_KINDS = [...FAMILIES, ...EVENT_KINDS, "RECEIPT", "TRANSACTION"] as const;
export const WebhookKind = Type.Enum(WEBHOOK_KINDS);
export type WebhookKind = Static<typeof WebhookKind>;

/**
 * Returns whether an environment has at most one webhook of this kind: a receipt must not be sent
 * twice, and only one response can decide a verification.
 */
export function isOnlyOne(kind: WebhookKind): boolean {
  return kind === "RECEIPT" || kind === "TRANSACTION";
}

/** Title of the schema of each kind's body. */
export function recordOf(kind: Exclude<WebhookKind, "CATALOG" | "RECEIPT">): string {
  if (kind === "TRANSACTION") return "Transaction";
  if (kind === "REFUND") return "EsimRefund";
  if (kind === "REPORT") return "Report";
  if (kind === "BALANCE") return "Balance";
  if (kind === "PROMOTION") return "Promo";
  return `${FAMILY_FACTS[kind].name}Purchase`;
}

const Count = Type.Integer({ minimum: 0 });

/** Body of a CATALOG message: numbers of offers that an update of the catalog has changed. */
export const CatalogMessage = Type.Object(
  {
    version: Type.Integer({ description: "Version of the catalog, which each update raises" }),
    updatedAt: Timestamp,
    offers: Type.Object({ added: Count, changed: Count, removed: Count }),
  },
  { description: "Changes of offers by an update of the catalog" },
);
export type CatalogMessage = Static<typeof CatalogMessage>;

export const CATALOG_MESSAGE_SAMPLE: CatalogMessage = {
  version: 7,
  updatedAt: "2026-01-15T09:30:00.000Z",
  offers: { added: 3, changed: 12, removed: 1 },
};

/** Returns whether messages of this kind are about a transaction. */
export function isOfTransaction(kind: WebhookKind): boolean {
  return ["TRANSACTION", "REFUND", ...FAMILIES].includes(kind);
}

const Id = Type.String({ minLength: 1, maxLength: 64 });

export const DEFAULT_OLD_SECRET_HOURS = 24;
export const MAX_OLD_SECRET_HOURS = 168;

/** Header name: a token of RFC 9110. Header value: visible ASCII, with spaces inside. */
export const HEADER_NAME_PATTERN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$";
export const HEADER_VALUE_PATTERN = "^[\\x21-\\x7e]([\\x20-\\x7e]{0,4094}[\\x21-\\x7e])?$";

const Kinds = Type.Array(WebhookKind, {
  minItems: 1,
  maxItems: WEBHOOK_KINDS.length,
  description: "Kinds of its messages, which the header `webhook-kind` names",
  examples: [["TOPUP", "VOUCHER"]],
});

export const MAX_DESCRIPTION = 100;
const Description = Type.String({
  ...PLAIN_TEXT,
  maxLength: MAX_DESCRIPTION,
  description: "Name for the owner",
  examples: ["Web shop"],
});

/**
 * `POST /pos/webhooks` (owner). The URL must respond to a HEAD request with 2xx. Needs either `kind`
 * or `kinds`.
 */
export const WebhookInput = Input({
  environment: Environment,
  kind: Type.Optional({ ...WebhookKind, description: "Short form of a list with a single kind" }),
  kinds: Type.Optional(Kinds),
  description: Type.Optional(Description),
  replaces: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "Id of a webhook that this one replaces: one transaction adds, removes and hands over",
    }),
  ),
  url: Type.String({ minLength: 1, maxLength: 2048, examples: ["https://shop.example/hooks"] }),
  headerName: Type.Optional(
    Type.String({
      pattern: HEADER_NAME_PATTERN,
      description: "the name of an HTTP header",
      examples: ["Authorization"],
    }),
  ),
  headerValue: Type.Optional(
    Type.String({
      pattern: HEADER_VALUE_PATTERN,
      description: "1 to 4096 visible ASCII characters",
    }),
  ),
  allowPrivate: Type.Optional(
    Type.Boolean({ description: "Permits this machine and private networks" }),
  ),
});
export type WebhookInput = Static<typeof WebhookInput>;

/**
 * `PATCH /pos/webhooks/{webhookId}` (owner): changes the given fields. A new URL must respond to a
 * HEAD request. It replaces the header: without a header, the earlier header is removed.
 */
export const WebhookChange = Input({
  kinds: Type.Optional(Kinds),
  description: Type.Optional(Description),
  url: Type.Optional(WebhookInput.properties.url),
  headerName: WebhookInput.properties.headerName,
  headerValue: WebhookInput.properties.headerValue,
  allowPrivate: WebhookInput.properties.allowPrivate,
});
export type WebhookChange = Static<typeof WebhookChange>;

/** A webhook without its header value and signing secret, which are never shown again. */
export const Webhook = Type.Object({
  webhookId: Type.String(),
  environment: Environment,
  kind: { ...WebhookKind, description: "The first of its kinds" },
  kinds: Kinds,
  description: Type.Optional(Type.String()),
  url: Type.String(),
  headerName: Type.Optional(Type.String()),
  allowPrivate: Type.Boolean(),
  createdAt: Timestamp,
  failingSince: Type.Optional(Timestamp),
  lastFailure: Type.Optional(
    Type.String({ description: "Reason of the last failure, while it fails" }),
  ),
  pausedAt: Type.Optional(Timestamp),
  oldSecretUntil: Type.Optional({
    ...Timestamp,
    description: "End of the replaced secret, with which deliveries are also signed",
  }),
  listeningUntil: Type.Optional({
    ...Timestamp,
    description: "For a listener of the command line: time until which its messages are sent",
  }),
  waiting: Type.Integer({ description: "Number of pending deliveries" }),
});
export type Webhook = Static<typeof Webhook>;
const WebhookList = Type.Object({ list: Type.Array(Webhook) });

/** Response of `POST /pos/webhooks`. Only this response contains the signing secret. */
export const WebhookCreated = Type.Object({ webhook: Webhook, secret: Type.String() });
export type WebhookCreated = Static<typeof WebhookCreated>;

/**
 * Response of `POST /pos/webhooks/{webhookId}/secret`. Only this response contains the new secret.
 */
export const WebhookSecret = Type.Object({
  secret: Type.String(),
  oldSecretUntil: Type.Optional(Timestamp),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

/**
 * Query of `POST /pos/webhooks/{webhookId}/secret`: the time during which both secrets sign. 0 ends
 * the old secret at once, for a secret that leaked.
 */
const WebhookSecretQuery = Input({
  oldSecretHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OLD_SECRET_HOURS,
      default: DEFAULT_OLD_SECRET_HOURS,
      description: "Hours during which the old secret also signs",
    }),
  ),
});

const WebhookParams = Input({ webhookId: Id });

/** CANCELLED: the webhook was removed before the delivery. */
export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
const DeliveryState = Type.Enum(DELIVERY_STATES);
export type DeliveryState = Static<typeof DeliveryState>;

/** An attempt with neither status nor error is running, or was interrupted by a crash. */
const WebhookAttempt = Type.Object({
  beganAt: Timestamp,
  duration_ms: Type.Integer(),
  status: Type.Optional(Type.Integer({ description: "Absent without a response" })),
  answer: Type.Optional(Type.String({ description: "First kilobyte of the response" })),
  error: Type.Optional(
    Type.String({ description: "Reason why it does not count, if the status alone does not tell" }),
  ),
});

/**
 * Response of `POST /pos/webhooks/{webhookId}/test`. `taken` is true if the attempt
 * would count as delivered.
 */
export const WebhookTest = Type.Object({ attempt: WebhookAttempt, taken: Type.Boolean() });
export type WebhookTest = Static<typeof WebhookTest>;

/**
 * A message to one webhook. `deliveryId` is sent in the header `webhook-id`. `subject` is the id of
 * the transaction, report or promotion; for other kinds, of the change.
 */
export const WebhookDelivery = Type.Object({
  deliveryId: Type.String(),
  webhookId: Type.String(),
  environment: Environment,
  kind: WebhookKind,
  subject: Type.String(),
  transactionId: Type.Optional(TransactionId),
  state: DeliveryState,
  createdAt: Timestamp,
  nextAttemptAt: Type.Optional(Timestamp),
  attempts: Type.Array(WebhookAttempt),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const WebhookDeliveryPage = Paged(WebhookDelivery);
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>;

/** Query of `GET /pos/webhooks/deliveries` (owner), newest first. */
export const WebhookDeliveryQuery = Input({
  ...paging,
  environment: Type.Optional(Environment),
  webhookId: Type.Optional(Id),
  state: Type.Optional(DeliveryState),
  transactionId: Type.Optional(TransactionId),
});
export type WebhookDeliveryQuery = Static<typeof WebhookDeliveryQuery>;

const WebhookDeliveryParams = Input({ deliveryId: Id });

export const webhookOperations = {
  list: defineOperation({
    method: "GET",
    path: "/webhooks",
    answer: WebhookList,
    access: "owner",
    refusals: [],
  }),
  add: defineOperation({
    method: "POST",
    path: "/webhooks",
    body: WebhookInput,
    answer: WebhookCreated,
    access: "owner",
    asksPin: "sometimes",
    refusals: [],
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/webhooks/:webhookId",
    params: WebhookParams,
    answer: NOTHING,
    access: "owner",
    asksPin: "sometimes",
    refusals: ["NOT_FOUND"],
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/webhooks/:webhookId",
    params: WebhookParams,
    body: WebhookChange,
    answer: NOTHING,
    access: "owner",
    asksPin: "sometimes",
    refusals: ["NOT_FOUND"],
  }),
  /** For the given time, deliveries are signed with the old and the new secret. */
  rotateSecret: defineOperation({
    method: "POST",
    path: "/webhooks/:webhookId/secret",
    params: WebhookParams,
    query: WebhookSecretQuery,
    answer: WebhookSecret,
    access: "owner",
    asksPin: "sometimes",
    refusals: ["NOT_FOUND"],
  }),
  resume: defineOperation({
    method: "POST",
    path: "/webhooks/:webhookId/resume",
    params: WebhookParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Sends a sample, signed like every message. The sample is not listed as a delivery. */
  test: defineOperation({
    method: "POST",
    path: "/webhooks/:webhookId/test",
    params: WebhookParams,
    answer: WebhookTest,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  listDeliveries: defineOperation({
    method: "GET",
    path: "/webhooks/deliveries",
    query: WebhookDeliveryQuery,
    answer: WebhookDeliveryPage,
    access: "owner",
    refusals: [],
  }),
  resend: defineOperation({
    method: "POST",
    path: "/webhooks/deliveries/:deliveryId/resend",
    params: WebhookDeliveryParams,
    answer: WebhookDelivery,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
