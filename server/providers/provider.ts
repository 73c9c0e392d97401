import type { Environment } from "../contract/common.ts";
import type { FailureCode } from "../contract/error-codes.ts";
import type { Deviation } from "../contract/pos/provider-answers.ts";
import type { EsimPlan } from "../contract/v1/esims.ts";
import type { Fulfilment, PurchaseExtras } from "../contract/v1/fulfilment.ts";
import type { BillPayOffer, Offer } from "../contract/v1/offers.ts";

interface Account {
  accountId: string;
  environment: Environment;
}

/**
 * An order to a provider. The transaction id is the idempotency key
 * (rules#idempotency-upstream-key): 1 to 128 letters, digits, "-" or "_". A kind whose reference is
 * shorter derives it from the id alone, without stored state.
 */
export interface Order extends Account {
  transactionId: string;
  offer: Offer;
  /** Recipient's phone number (E.164) or other id; empty if there is none. */
  recipient: string;
  extras: PurchaseExtras;
  /** Delivered amount, in minor units of the offer's send currency. */
  send: number;
  /** Expected cost with fees, in minor units of the offer's cost currency. */
  cost: number;
  /** Time at which this gateway accepted the order, in milliseconds. */
  acceptedAt: number;
}

/**
 * A response that was read field by field. Few fields determine the decision
 * (rules#upstream-liberal-reading).
 */
export interface Reading<Decision, Details> {
  /** Undefined if a field that determines the decision is unreadable. */
  decided: Decision | undefined;
  details: Details;
  deviations: readonly Deviation[];
}

export interface Deviating {
  deviations?: readonly Deviation[];
  /** The response's text; present if the response deviates from the contract. */
  rawAnswer?: string;
}

/** An error that only the owner can fix. Sales fail, or the books differ from the provider's. */
export interface ProviderFault {
  kind: "KEY_REFUSED" | "FUNDS_SHORT" | "COST_DIFFERS";
  message: string;
}

/**
 * Cause of a refusal after which the provider has not booked the order, and never will. A refusal
 * with another cause has none of these.
 */
export type RefusalCause =
  /** The shop's balance there does not cover the order. */
  | "FUNDS_SHORT"
  /** It does not sell the product, or not at this amount or cost. */
  | "NOT_SOLD"
  /** It accepts no order of the shop, for example because of its key. */
  | "CLOSED"
  /** No connection was made, so that nothing was sent. */
  | "UNREACHED"
  /** The recipient. */
  | "RECIPIENT";

/** Response to a submission or a status inquiry. */
export type ProviderAnswer = Deviating &
  (
    | { kind: "fulfilled"; fulfilment: Fulfilment }
    /**
     * The provider will never fulfil the order. `isGuessed`: the refusal had no readable error
     * code, and an inquiry found no purchase.
     */
    | {
        kind: "rejected";
        code: FailureCode;
        message: string;
        isGuessed?: boolean;
        cause?: RefusalCause;
      }
    /**
     * Another attempt may succeed. `retryAfter_ms`: delay that the provider requests.
     * `mayBeBooked`: the provider may have the order in spite of this answer, so the engine
     * inquires before the next attempt. `isFailing`: the requested delay is that of a lasting
     * failure, which counts for the brand's pause.
     */
    | {
        kind: "recoverable";
        message: string;
        retryAfter_ms?: number;
        mayBeBooked?: boolean;
        isFailing?: boolean;
        cause?: RefusalCause;
      }
    /**
     * The provider is processing the order. The next inquiry is at `checkAgainAt`. `isBooked`: the
     * provider certainly has the order, so a later `not-received` does not count.
     */
    | { kind: "working"; checkAgainAt: number; isBooked?: boolean }
    /** The provider has no such purchase. Only inquiries return this answer. */
    | { kind: "not-received" }
    /**
     * The outcome remains unknown. The engine inquires at `checkAgainAt`, at the latest after 15
     * minutes, or at the deadline.
     * `isFailing`: the provider fails, which counts for the brand's pause.
     */
    | { kind: "unreadable"; message: string; checkAgainAt?: number; isFailing?: boolean }
  );

/** Response to a refund request. A repeated request returns the current state. */
export type RefundAnswer = Deviating &
  (
    | { kind: "refunded" }
    | { kind: "refused"; reason: string }
    | { kind: "recoverable"; message: string }
    | { kind: "working"; checkAgainAt: number }
    | { kind: "unreadable"; message: string }
  );

interface EsimUse {
  /** Undefined before the first installation. */
  firstInstalledAt: number | undefined;
  isPlanUsed: boolean;
}

/** Reading of an eSIM. The details are its active and queued plans, in the order of their use. */
export type EsimUsage = Reading<EsimUse, EsimPlan[]>;

export interface BillQuery extends Account {
  offer: BillPayOffer;
  fields: Readonly<Record<string, string>>;
}

/** `amountDue` is in minor units of the offer's send currency; undefined if there is no bill. */
export type BillReading = Reading<{ amountDue: number | undefined }, undefined>;

/**
 * A provider of prepaid products. If a call throws or never returns, the outcome of the order is
 * unknown until a status inquiry. `signal` ends the wait, but does not cancel the order.
 */
export interface Provider {
  readonly name?: string;
  /**
   * `by-key`, the default: returns the order of a transaction id, so `not-received` permits another
   * submission. `by-listing`: lists orders; a missing order may still be under way, so the engine
   * treats `not-received` as unknown. `none`: the engine never inquires, so an order with an unknown
   * outcome is never submitted again (rules#purchase-unknown-outcome).
   */
  readonly inquiry?: "by-key" | "by-listing" | "none" | undefined;
  submit(order: Order, signal: AbortSignal): Promise<ProviderAnswer>;
  inquire(order: Order, signal: AbortSignal): Promise<ProviderAnswer>;
  /** Absent if the provider has no refunds. */
  refund?(order: Order, signal: AbortSignal): Promise<RefundAnswer>;
  /** Reads an eSIM that this account bought. Absent if the provider states no plans. */
  readEsim?(esim: Account & { iccid: string }, signal: AbortSignal): Promise<EsimUsage>;
  /** Absent if the provider states no amounts due. */
  findBill?(query: BillQuery, signal: AbortSignal): Promise<BillReading>;
}

/** Returns the provider with the id, by default the first; `ANY_PROVIDER` for any of them. */
export type ProviderOf = (
  asked: Account & { providerId?: string | undefined },
) => Promise<Provider | undefined>;
