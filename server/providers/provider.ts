import type { Environment } from "../contract/common.ts";
import type { FailureCode } from "../contract/error-codes.ts";
import type { Deviation } from "../contract/pos/provider-answers.ts";
import type { EsimPlan } from "../contract/v1/esims.ts";
import type { Fulfilment, PurchaseExtras } from "../contract/v1/fulfilment.ts";
import type { BillPayOffer, Offer } from "../contract/v1/offers.ts";

/** Account and environment of a provider. */
interface Account {
  accountId: string;
  environment: Environment;
}

/** An order at a provider. The transaction id is its idempotency key (rules#idempotency-upstream-key). */
export interface Order extends Account {
  transactionId: string;
  /** The offer as it was sold. */
  offer: Offer;
  /** Phone number (E.164) or other id of the receiver; empty if there is none. */
  recipient: string;
  extras: PurchaseExtras;
  /** Delivered amount, minor units of the offer's send currency. */
  send: number;
  /** Expected charge including fees, minor units of the offer's cost currency. */
  cost: number;
  /** Instant of acceptance by this gateway. */
  acceptedAt: number;
}

/**
 * An answer, read field by field. Few fields decide; every other field is a detail and never changes the
 * decision (rules#upstream-liberal-reading).
 */
export interface Reading<Decision, Details> {
  /** Undefined if a deciding field is unreadable. */
  decided: Decision | undefined;
  details: Details;
  deviations: readonly Deviation[];
}

/** The deviations of an answer, beside its decision. */
export interface Deviating {
  deviations?: readonly Deviation[];
  /** The answer itself, if it deviates. */
  rawAnswer?: string;
}

/** A provider's answer to a submission or to a status inquiry. */
export type ProviderAnswer = Deviating &
  (
    | { kind: "fulfilled"; fulfilment: Fulfilment }
    /**
     * Final: it will never be fulfilled. `isGuessed`: concluded from a refusal without a readable error
     * code, and from an inquiry that found no purchase.
     */
    | { kind: "rejected"; code: FailureCode; message: string; isGuessed?: boolean }
    /**
     * Not fulfilled, and worth another attempt. `retryAfter_ms`: the wait that the provider asks for.
     * `mayBeBooked`: the attempt may still have been received.
     */
    | { kind: "recoverable"; message: string; retryAfter_ms?: number; mayBeBooked?: boolean }
    /**
     * Received and under way; ask again at `checkAgainAt`. `isBooked`: the provider refused a repeated
     * submission because it has the purchase.
     */
    | { kind: "working"; checkAgainAt: number; isBooked?: boolean }
    /** The provider has no such purchase. Answers a status inquiry only. */
    | { kind: "not-received" }
    /** The provider answered, but the deciding fields are unreadable: the outcome stays unknown. */
    | { kind: "unreadable"; message: string; checkAgainAt?: number }
  );

/** A provider's answer about a refund; a repeated request returns its current state. */
export type RefundAnswer = Deviating &
  (
    | { kind: "refunded" }
    | { kind: "refused"; reason: string }
    | { kind: "recoverable"; message: string }
    | { kind: "working"; checkAgainAt: number }
    | { kind: "unreadable"; message: string }
  );

/** Whether an eSIM is in use; decides about a refund. */
interface EsimUse {
  /** Instant of the first installation; undefined before it. */
  firstInstalledAt: number | undefined;
  isPlanUsed: boolean;
}

/** An eSIM's use, with its active and queued plans in the order they are used. */
export type EsimUsage = Reading<EsimUse, EsimPlan[]>;

export interface BillQuery extends Account {
  offer: BillPayOffer;
  /** Values that identify the bill to the biller, by field name. */
  fields: Readonly<Record<string, string>>;
}

/** A bill's amount due in minor units of the offer's send currency; undefined if there is no bill. */
export type BillReading = Reading<{ amountDue: number | undefined }, undefined>;

/**
 * A provider of prepaid products. Every call may throw or never return. The outcome of an order is then
 * unknown, and an inquiry determines it. `signal` ends the wait, not the order.
 */
export interface Provider {
  /** Name in alerts and lists: the host of its address. */
  readonly name?: string;
  submit(order: Order, signal: AbortSignal): Promise<ProviderAnswer>;
  inquire(order: Order, signal: AbortSignal): Promise<ProviderAnswer>;
  /** Refunds the cost of a fulfilled eSIM order. */
  refund(order: Order, signal: AbortSignal): Promise<RefundAnswer>;
  /** Plans and usage of an eSIM that this account bought. */
  readEsim(esim: Account & { iccid: string }, signal: AbortSignal): Promise<EsimUsage>;
  findBill(query: BillQuery, signal: AbortSignal): Promise<BillReading>;
}

/** Returns the provider of an account in an environment; undefined if there is none. */
export type ProviderOf = (scope: Account) => Promise<Provider | undefined>;
