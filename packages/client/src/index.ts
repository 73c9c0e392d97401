export {
  type ClientOptions,
  createTillgateClient,
  type TillgateClient,
  type WaitOptions,
} from "./client.ts";
export {
  ApiError,
  ConnectionError,
  TillgateError,
  UnconfirmedPurchaseError,
  WaitTimeoutError,
  WebhookSignatureError,
} from "./errors.ts";
export type { Families, Family, Purchase, PurchaseInput, Quote } from "./families.ts";
export type { ListFilters, ListItem, ListOptions, ListPath } from "./pages.ts";
export type * from "./v1.ts";
export {
  verifyWebhook,
  type WebhookBody,
  type WebhookMessage,
  type WebhookName,
} from "./webhooks.ts";
