import type { Environment } from "../contract/common.ts";
import type { FailureCode } from "../contract/error-codes.ts";
import type { Fulfilment } from "../contract/v1/purchases.ts";

/** What a provider is asked to deliver. The transaction id is its idempotency key (decisions §4). */
export interface Order {
  accountId: string;
  environment: Environment;
  transactionId: string;
  productType: string;
  offerId: string;
  brand: string;
  country: string;
  /** The phone number, E.164, or whatever else names the receiver; empty where nothing does. */
  recipient: string;
  /** How a voucher reaches its buyer; empty for other families. */
  deliveryType: string;
  /** Delivered amount, minor units. */
  send: number;
  sendCurrency: string;
  sendCurrencyDivisor: number;
}

/** What a provider says of an order. */
export type Answer =
  | { kind: "fulfilled"; fulfilment: Fulfilment }
  /** Final: it will never be fulfilled. */
  | { kind: "rejected"; code: FailureCode; message: string }
  /** Not fulfilled, and worth another attempt later. */
  | { kind: "recoverable"; message: string }
  /** Received and under way; ask again at `askAgainAt`. */
  | { kind: "working"; askAgainAt: number };

/** The answer to «what became of it?». */
export type Outcome = Answer | { kind: "not-received" };

/**
 * A provider of prepaid products. Both calls may throw or stay silent; then the outcome is unknown
 * and is asked about, never assumed. `signal` ends the wait, not the order.
 */
export interface Supplier {
  submit(order: Order, signal: AbortSignal): Promise<Answer>;
  enquire(order: Order, signal: AbortSignal): Promise<Outcome>;
}
