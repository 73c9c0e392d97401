import type { TransactionStatus } from "../../../contract/common.ts";
import type { FailureCode } from "../../../contract/error-codes.ts";
import type { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { AttemptState, Doubt } from "../../../db/tables/transactions.ts";
import { describeAmount, type Unit } from "../../../lib/money.ts";
import type { ProviderAnswer } from "../../../providers/provider.ts";
import type { Supply } from "../../../providers/supply.ts";
import type { StoredTransaction } from "../../books/transactions/index.ts";
import type { InsufficientFunds } from "../../books/wallet/index.ts";
import type { Verdict } from "../../messages/webhooks/index.ts";

export type Refusal = Extract<ProviderAnswer, { kind: "rejected" | "recoverable" }>;

/** A provider to which a purchase can move after a refusal. */
export interface NextProvider {
  /** The owner's name for it. */
  name: string;
  /** Undefined for the first provider. */
  supply: Supply | undefined;
  /** Cost there, in minor units of the wallet's currency. */
  costBase: number;
  costFee: number;
}

/** State of the process that waits for the answer to the last attempt. */
export type Sender =
  | { state: "HERE" }
  /** Another process, whose claim ends in this many milliseconds. */
  | { state: "ELSEWHERE"; endsIn_ms: number }
  /** No process: the provider did not answer, and the deadline has not passed. */
  | { state: "UNANSWERED" }
  /** No process: the sender stopped, or could not store the answer. */
  | { state: "GONE" };

export type PurchaseEvent = { now: number } & (
  | {
      /** The job ran, and no money is held yet. */
      kind: "started";
      obstacle: TransactionError | undefined;
      /** PROBED: the brand is paused, and this purchase is its probe. */
      brand: "OPEN" | "PAUSED" | "PROBED";
      verification: "NONE" | "WANTED" | "ALLOWED";
    }
  /** `isAsked` is false while too many queries are pending. */
  | { kind: "verifying"; isAsked: boolean }
  | { kind: "verified"; verdict: Verdict }
  /** `moved`: reason of the move to the present provider, before anything was sent. */
  | { kind: "funds-held"; moved?: string }
  | { kind: "funds-short"; reason: TransactionError; figures: Record<string, number> }
  /** The job ran, and money is held. */
  | {
      kind: "due";
      sender: Sender;
      /** Whether this process has run for an interval since the last submission or inquiry. */
      isIntervalOver: boolean;
    }
  | {
      kind: "answered";
      answer: ProviderAnswer;
      /** Whether no earlier attempt can still arrive. */
      isAlone: boolean;
      queueOn: boolean;
      /** Absent if no other provider can sell the product. */
      following?: NextProvider | undefined;
    }
  /** `answer` is undefined if the provider did not answer the inquiry. */
  | {
      kind: "inquired";
      answer: ProviderAnswer | undefined;
      /** Whether the last attempt can no longer arrive. */
      isOver: boolean;
      queueOn: boolean;
      /** Running time since the last submission or inquiry. */
      asked_ms: number;
      /** Absent if no other provider can sell the product. */
      following?: NextProvider | undefined;
    }
  /** The provider refused an attempt, and was queried because an earlier attempt was in doubt. */
  | {
      kind: "confirmed";
      refusal: Refusal;
      answer: ProviderAnswer | undefined;
      queueOn: boolean;
    }
);

export type EventOf<Kind extends PurchaseEvent["kind"]> = Extract<PurchaseEvent, { kind: Kind }>;

export interface Step {
  to: TransactionStatus;
  message: string;
  error?: TransactionError;
  errorFigures?: Record<string, number>;
  /** The provider may have delivered a failed purchase: the owner must ask the provider. */
  needsReconciliation?: boolean;
}

export interface Write {
  steps: readonly Step[];
  /** `move` releases the hold and holds the cost at `following`, which becomes the provider. */
  ledger?: "capture" | "release" | "move";
  /** Present with `move`. */
  following?: NextProvider;
  attempt?: {
    attempts?: number;
    attemptState?: AttemptState;
    nextAttemptAt?: number | undefined;
    unknownFor_ms?: number;
    doubt?: Doubt;
    fulfilment?: Fulfilment;
  };
  /**
   * The process that waits for the answer. BEGINS: this process, which sends the attempt now. HERE:
   * this process, which sent it earlier. KEPT: the process that already waits. Absent: no process.
   */
  sending?: "BEGINS" | "HERE" | "KEPT";
  /** Time of the next job; absent if unchanged. */
  lookAt?: number;
  /** rules#brand-pause-automatic */
  brand?: "ANSWERED" | "FAILED";
}

export type Next =
  | { do: "rest" }
  /** Advances the purchase again at once. */
  | { do: "look" }
  /** The next event states whether the wallet covers the cost. */
  | { do: "hold" }
  | { do: "verify" }
  | { do: "submit"; isAlone: boolean }
  | { do: "inquire"; isOver: boolean }
  | { do: "confirm"; refusal: Refusal }
  /** Waits for the deadline, while no process waits for an answer. */
  | { do: "await-deadline" };

export interface Decision {
  write?: Write;
  next: Next;
}

/** Figures of an error that concerns the balance at the provider, not the whole wallet. */
export const SHORT_AT_PROVIDER: Readonly<Record<string, number>> = { atProvider: 1 };

export function isShortAtProvider({ errorFigures }: Pick<StoredTransaction, "errorFigures">) {
  return errorFigures.atProvider !== undefined;
}

/** Cause of the failure, and state of the money. */
const DESCRIPTIONS: Record<FailureCode, string> = {
  INSUFFICIENT_FUNDS: "The wallet does not cover the cost. Nothing was charged.",
  RECIPIENT_INVALID: "The provider cannot deliver to this recipient. The hold was released.",
  PROVIDER_REJECTED: "The provider refused the purchase. The hold was released.",
  PROVIDER_UNAVAILABLE:
    "The provider could not be reached and queueing is switched off. The hold was released.",
  RETRY_WINDOW_EXPIRED: "It was not delivered within 24 hours. The hold was released.",
  PROVIDER_NOT_CONFIGURED: "No provider is connected to this environment. Nothing was charged.",
  ICCID_NOT_FOUND:
    "There is no such eSIM: it was not bought here, or it was refunded. Nothing was charged.",
  VERIFICATION_BLOCKED: "The shop's own system did not allow the purchase. Nothing was charged.",
  VERIFICATION_TIMEOUT: "The shop's own system did not verify the purchase. Nothing was charged.",
  PRICE_CHANGED: "The provider's price has changed. The hold was released.",
};

/** `dto.Error` of a failed transaction (rules#purchase-failure-codes). */
export function failure(code: FailureCode, message: string): TransactionError {
  return { code, description: DESCRIPTIONS[code], message };
}

/** @param provider name of the provider whose part of the wallet is too small */
export function insufficientFunds(
  short: InsufficientFunds,
  unit: Unit,
  provider?: string,
): TransactionError {
  const shortBy = describeAmount(short.shortBy, unit);
  if (provider === undefined) {
    return failure("INSUFFICIENT_FUNDS", `The wallet is short by ${shortBy}.`);
  }
  return {
    code: "INSUFFICIENT_FUNDS",
    description: "The balance at the provider does not cover the cost. Nothing was charged.",
    message: `The balance at ${provider} is short by ${shortBy}.`,
  };
}

/** Returns the event's new answers. The refusal in a `confirmed` event was stored earlier. */
export function answersOf(event: PurchaseEvent): ProviderAnswer[] {
  if (event.kind === "answered") return [event.answer];
  if (event.kind !== "inquired" && event.kind !== "confirmed") return [];
  return event.answer ? [event.answer] : [];
}
