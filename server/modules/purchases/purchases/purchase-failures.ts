import type { FailureCode } from "../../../contract/error-codes.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import { describeAmount, type Unit } from "../../../lib/money.ts";
import type { InsufficientFunds } from "../../books/wallet/index.ts";

/** The cause, and what became of the money: the same for every failure of a kind. */
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
