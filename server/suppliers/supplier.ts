import type { Environment } from "../contract/common.ts";
import type { FailureCode } from "../contract/error-codes.ts";
import type { EsimPlan } from "../contract/v1/esims.ts";
import type { Fulfilment, PurchaseExtras } from "../contract/v1/fulfilment.ts";
import type { BillPayOffer, Offer } from "../contract/v1/offers.ts";

/** Whose provider is asked. */
interface Account {
  accountId: string;
  environment: Environment;
}

/** What a provider is asked to deliver. The transaction id is its idempotency key (rules#idempotency-upstream-key). */
export interface Order extends Account {
  transactionId: string;
  /** The offer as it was sold. */
  offer: Offer;
  /** The phone number, E.164, or whatever else names the receiver; empty where nothing does. */
  recipient: string;
  extras: PurchaseExtras;
  /** Delivered amount, minor units of what the offer delivers. */
  send: number;
  /** What we expect to be charged, fees included; minor units of the offer's cost currency. */
  cost: number;
  /** When we accepted it. */
  acceptedAt: number;
}

/** What a provider says of an order. */
export type Answer =
  | { kind: "fulfilled"; fulfilment: Fulfilment }
  /** Final: it will never be fulfilled. */
  | { kind: "rejected"; code: FailureCode; message: string }
  /** Not fulfilled, and worth another attempt later. */
  | { kind: "recoverable"; message: string }
  /** Received and under way; ask again at `checkAgainAt`. */
  | { kind: "working"; checkAgainAt: number };

/** The answer to «what became of it?». */
export type Outcome = Answer | { kind: "not-received" };

/** What a provider says of a refund; asked for the same order again, it says how that stands. */
export type RefundAnswer =
  | { kind: "refunded" }
  | { kind: "refused"; reason: string }
  | { kind: "recoverable"; message: string }
  | { kind: "working"; checkAgainAt: number };

/** What has happened on an eSIM. */
export interface EsimUsage {
  /** When the profile was first installed; undefined before. */
  firstInstalledAt: number | undefined;
  /** Active and queued plans, in the order they are used. */
  plans: EsimPlan[];
}

export interface BillQuery extends Account {
  offer: BillPayOffer;
  /** What the biller knows the bill by: values by field name. */
  fields: Readonly<Record<string, string>>;
}

/**
 * A provider of prepaid products. Every call may throw or stay silent. For an order the outcome is
 * then unknown and is asked about, never assumed. `signal` ends the wait, not the order.
 */
export interface Supplier {
  submit(order: Order, signal: AbortSignal): Promise<Answer>;
  enquire(order: Order, signal: AbortSignal): Promise<Outcome>;
  /** Gives the cost of a fulfilled eSIM order back. */
  refund(order: Order, signal: AbortSignal): Promise<RefundAnswer>;
  /** Plans and usage of an eSIM that this account bought. */
  readEsim(esim: Account & { iccid: string }, signal: AbortSignal): Promise<EsimUsage>;
  /** Amount due of a bill, minor units of the offer's send currency; undefined when there is none. */
  findBill(query: BillQuery, signal: AbortSignal): Promise<number | undefined>;
}

/** Who delivers what an account sells in an environment; undefined where nobody does. */
export type SupplierOf = (scope: Account) => Promise<Supplier | undefined>;
