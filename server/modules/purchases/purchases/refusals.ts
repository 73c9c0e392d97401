import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { ProviderAnswer, RefusalCause } from "../../../providers/provider.ts";
import type { Decision, EventOf, Refusal, Step, Write } from "./decision.ts";
import { failure, SHORT_AT_PROVIDER } from "./decision.ts";
import { isWindowOver, type PurchaseState } from "./retry-policy.ts";

/**
 * Whether another provider may sell the product after a refusal for this cause (rules#purchase-moves).
 * A cause that concerns the customer would be the same at every provider.
 */
const MAY_MOVE: Readonly<Record<RefusalCause, boolean>> = {
  FUNDS_SHORT: true,
  NOT_SOLD: true,
  CLOSED: true,
  UNREACHED: true,
  RECIPIENT: false,
};

/** Joins the refusal and the name of the next provider in the log. */
export const MOVED_TO = "; moved to ";

/** The answer for an attempt that was not sent, because its provider is disconnected. */
export const DISCONNECTED: ProviderAnswer = {
  kind: "recoverable",
  message: "the provider is not connected",
  cause: "CLOSED",
};

/** An answer to a submission or to an inquiry. */
interface Heard {
  kind: "answered" | "inquired";
  now: number;
  answer: ProviderAnswer | undefined;
  /** Whether no attempt can still arrive at the provider. */
  isSettled: boolean;
}

/**
 * Returns the refusal after which the provider certainly has no order and will have none. After a
 * lost attempt or a backup, a refusal proves too little.
 */
export function findMovingRefusal(
  purchase: PurchaseState,
  { kind, now, answer, isSettled }: Heard,
): Refusal | undefined {
  if (answer?.kind !== "rejected" && answer?.kind !== "recoverable") return undefined;
  const { doubt, transaction, mayHaveMoved } = purchase;
  // An order that the provider accepted has failed for certain only if its record says so.
  const isFailedOrder = kind === "inquired" && answer.kind === "rejected" && doubt === "ACCEPTED";
  const isGuessed = answer.kind === "rejected" ? answer.isGuessed : answer.mayBeBooked;
  const isCertain = (doubt === "NONE" || isFailedOrder) && isSettled && isGuessed !== true;
  const mayTry = !mayHaveMoved && !transaction.training && !isWindowOver(purchase, now);
  const isElsewhere = answer.cause !== undefined && MAY_MOVE[answer.cause];
  return isCertain && mayTry && isElsewhere ? answer : undefined;
}

/**
 * Moves the purchase to the following provider, in the commit that stores the refusal. The next step
 * submits it there.
 */
export function moveAfter(
  purchase: PurchaseState,
  event: EventOf<"answered"> | EventOf<"inquired">,
  isSettled: boolean,
): Decision | undefined {
  const { following, now } = event;
  const refusal = following && findMovingRefusal(purchase, { ...event, isSettled });
  if (!refusal) return undefined;
  const message = `${refusal.message.replace(/\.$/, "")}${MOVED_TO}${following.name}`;
  return {
    write: {
      steps: [{ to: "IN_PROGRESS", message }],
      ledger: "move",
      following,
      attempt: {
        attemptState: "NONE",
        nextAttemptAt: undefined,
        unknownFor_ms: 0,
        doubt: "NONE",
      },
      lookAt: now,
      ...(refusal.kind === "rejected" ? { brand: "ANSWERED" as const } : failedBrand(purchase)),
    },
    next: { do: "look" },
  };
}

/**
 * Fails a purchase from a backup that its provider did not deliver, and flags it: after the backup,
 * another provider may have delivered it.
 */
export function failFromBackup(
  purchase: PurchaseState,
  event: EventOf<"inquired">,
): Decision | undefined {
  const { answer } = event;
  if (!purchase.mayHaveMoved) return undefined;
  if (answer?.kind === "rejected") return failRefused(purchase, answer, true);
  if (answer?.kind !== "recoverable" && answer?.kind !== "not-received") return undefined;
  const message = "From a backup: its provider has not delivered it, and another one may have.";
  return fail(purchase, failure("PROVIDER_UNAVAILABLE", message), true);
}

/** In training, a number that always fails must not pause the brand. */
export function failedBrand({ transaction }: PurchaseState): Pick<Write, "brand"> {
  return transaction.training ? {} : { brand: "FAILED" };
}

export function fail(
  { doubt, unknownFor_ms, transaction }: PurchaseState,
  error: TransactionError,
  isDoubtful: boolean,
  { brand, ...more }: Pick<Write, "brand"> & Pick<Step, "errorFigures"> = {},
): Decision {
  const needsReconciliation = isDoubtful && !transaction.training;
  return {
    write: {
      steps: [{ to: "FAILED", message: error.message, error, needsReconciliation, ...more }],
      ...(!transaction.training && { ledger: "release" as const }),
      attempt: { doubt, unknownFor_ms, nextAttemptAt: undefined },
      ...(brand && { brand }),
    },
    next: { do: "rest" },
  };
}

/** Fails a refused purchase. The shop's balance at the provider is a part of its wallet. */
export function failRefused(
  purchase: PurchaseState,
  { code, message, cause }: Extract<ProviderAnswer, { kind: "rejected" }>,
  isDoubtful: boolean,
): Decision {
  const brand = "ANSWERED" as const;
  if (cause !== "FUNDS_SHORT") {
    return fail(purchase, failure(code, message), isDoubtful, { brand });
  }
  const description = "The balance at the provider does not cover the cost. The hold was released.";
  const error = { code: "INSUFFICIENT_FUNDS", description, message };
  return fail(purchase, error, isDoubtful, { brand, errorFigures: SHORT_AT_PROVIDER });
}

/** Flags the purchase if the provider may have delivered. */
export function expire(purchase: PurchaseState, isUnknown: boolean): Decision {
  const message = isUnknown
    ? "Not confirmed within 24 hours; the outcome is unknown."
    : "Not delivered within 24 hours.";
  return fail(purchase, failure("RETRY_WINDOW_EXPIRED", message), isUnknown);
}
