import type { TransactionStatus } from "../../../contract/common.ts";
import type { FailureCode } from "../../../contract/error-codes.ts";
import type { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { AttemptState, Doubt } from "../../../db/tables/transactions.ts";
import { describeAmount, type Unit } from "../../../lib/money.ts";
import type { ProviderAnswer } from "../../../providers/provider.ts";
import type { InsufficientFunds } from "../../books/wallet/index.ts";
import type { Verdict } from "../../messages/webhooks/index.ts";

/* Types of decide.ts: the events of a purchase, and the decisions about it. */

/** An answer that can end a purchase without a delivery. */
export type Refusal = Extract<ProviderAnswer, { kind: "rejected" | "recoverable" }>;

/** The process that waits for the answer to the last attempt. */
export type Sender =
  /** This process. */
  | { state: "HERE" }
  /** Another live process, or one whose claim on the attempt ends in so many milliseconds. */
  | { state: "ELSEWHERE"; endsIn_ms: number }
  /** None: the provider failed to answer, and the deadline of the attempt is pending. */
  | { state: "UNANSWERED" }
  /** None: the sender has stopped, or could not store the answer. */
  | { state: "GONE" };

/** Every event of a purchase, with the engine's knowledge at that moment. */
export type PurchaseEvent = { now: number } & (
  | {
      /** Its job ran, and no money is held for it yet. */
      kind: "started";
      /** The reason why it cannot be carried out at all. */
      obstacle: TransactionError | undefined;
      /** PROBED: the brand is paused, and this purchase is its probe. */
      brand: "OPEN" | "PAUSED" | "PROBED";
      /** Whether the shop's own system must allow the purchase. */
      verification: "NONE" | "WANTED" | "ALLOWED";
    }
  /** The shop's own system is being queried; `isAsked` is false while too many queries are open. */
  | { kind: "verifying"; isAsked: boolean }
  | { kind: "verified"; verdict: Verdict }
  | { kind: "funds-held" }
  | { kind: "funds-short"; reason: TransactionError; figures: Record<string, number> }
  /** Its job ran, and money is held for it. */
  | {
      kind: "due";
      sender: Sender;
      /** Whether this process has run for a whole interval since the last submission or inquiry. */
      isIntervalOver: boolean;
    }
  /** The provider answered the submission of the last attempt. */
  | {
      kind: "answered";
      answer: ProviderAnswer;
      /** Whether no earlier attempt can still be under way. */
      isAlone: boolean;
      queueOn: boolean;
    }
  /** The provider was queried for the outcome; `answer` is undefined if it did not tell. */
  | {
      kind: "inquired";
      answer: ProviderAnswer | undefined;
      /** Whether the last attempt has timed out, so that it cannot arrive any more. */
      isOver: boolean;
      queueOn: boolean;
      /** Running time since the last submission or inquiry. */
      asked_ms: number;
    }
  /**
   * The provider refused an attempt while an earlier one was in doubt, and was queried once more.
   */
  | {
      kind: "confirmed";
      refusal: Refusal;
      answer: ProviderAnswer | undefined;
      queueOn: boolean;
    }
);

/** A change of the transaction's status; each is an entry of its log. */
export interface Step {
  to: TransactionStatus;
  message: string;
  error?: TransactionError;
  errorFigures?: Record<string, number>;
  /** The provider may have delivered although the purchase failed: the owner asks the provider. */
  needsReconciliation?: boolean;
}

/** Changes that one transaction writes. */
export interface Write {
  steps: readonly Step[];
  ledger?: "capture" | "release";
  attempt?: {
    attempts?: number;
    attemptState?: AttemptState;
    nextAttemptAt?: number | undefined;
    unknownFor_ms?: number;
    doubt?: Doubt;
    fulfilment?: Fulfilment;
  };
  /**
   * The process that sends the attempt afterwards. BEGINS: this process, from now on. HERE: this
   * process, still. KEPT: the process that already does. Absent: none.
   */
  sending?: "BEGINS" | "HERE" | "KEPT";
  /**
   * When its job runs next; absent if the time of the job is unchanged. The job of an ended purchase is
   * deleted.
   */
  lookAt?: number;
  /** Effect on the brand (rules#brand-pause-automatic). */
  brand?: "ANSWERED" | "FAILED";
}

/** The engine's next step after the write. */
export type Next =
  | { do: "rest" }
  /** Advances the purchase again at once. */
  | { do: "look" }
  /** Holds its cost. The result is whether the wallet covered it. */
  | { do: "hold" }
  /** Queries the shop's own system. */
  | { do: "verify" }
  | { do: "submit"; isAlone: boolean }
  | { do: "inquire"; isOver: boolean }
  /** Queries the status, and then decides about the refusal. */
  | { do: "confirm"; refusal: Refusal }
  /** Stores for other processes that none waits for an answer before the deadline. */
  | { do: "await-deadline" };

export interface Decision {
  write?: Write;
  next: Next;
}

/** The cause and the state of the money: the same text for every failure of a kind. */
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

export function insufficientFunds(short: InsufficientFunds, unit: Unit): TransactionError {
  return failure(
    "INSUFFICIENT_FUNDS",
    `The wallet is short by ${describeAmount(short.shortBy, unit)}.`,
  );
}
