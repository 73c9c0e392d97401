import type { Environment } from "../../../server/contract/common.ts";
import type { SaleInput } from "../../../server/contract/pos/sales.ts";
import type { PurchaseValue } from "../../../server/contract/v1/purchases.ts";

/** Everything the confirm step shows: kept whole, so that a restart can show it again. */
export interface Basket {
  /** E.164. */
  readonly number: string;
  readonly formatted: string;
  readonly country: string;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  readonly offerId: string;
  readonly title: string;
  readonly value?: PurchaseValue;
  /** What the customer is told, in minor units of the shop's currency. */
  readonly price: number;
  readonly priceCurrency: string;
  readonly priceCurrencyDivisor: number;
  /** What is delivered; absent until a repeated sale has been priced again. */
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;
}

/**
 * One attempt to sell, with ids that never change (product lesson 4). It is stored when the
 * confirm step opens, so before the first send. With `confirmedAt` the clerk has taken the money:
 * from then on it is sent, with `input` unchanged, until the gateway has answered.
 */
export interface Attempt {
  readonly saleId: string;
  readonly transactionId: string;
  readonly environment: Environment;
  readonly staffId: string;
  readonly openedAt: number;
  readonly basket: Basket;
  readonly confirmedAt?: number;
  readonly input?: SaleInput;
}

/** An attempt that is being sent, or was. */
export type ConfirmedAttempt = Attempt & Required<Pick<Attempt, "confirmedAt" | "input">>;

export function isConfirmed(attempt: Attempt): attempt is ConfirmedAttempt {
  return attempt.input !== undefined && attempt.confirmedAt !== undefined;
}

const STORAGE_KEY = "tillgate.attempts";

/** Attempts that were not finished, oldest first. */
export function listAttempts(): Attempt[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? stored.filter(isAttempt) : [];
  } catch {
    return [];
  }
}

function isAttempt(value: unknown): value is Attempt {
  return (
    typeof value === "object" &&
    value !== null &&
    "saleId" in value &&
    "transactionId" in value &&
    "basket" in value
  );
}

/** Stores an attempt under its sale id, over what was stored under it before. */
export function saveAttempt(attempt: Attempt): void {
  const others = listAttempts().filter(({ saleId }) => saleId !== attempt.saleId);
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, attempt]));
}

export function removeAttempt(saleId: string): void {
  const others = listAttempts().filter((attempt) => attempt.saleId !== saleId);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(others));
}

/** The attempt with everything that will be sent, fixed from here on. */
export function confirmAttempt(attempt: Attempt, tendered: number, now: number): ConfirmedAttempt {
  const { basket } = attempt;
  return {
    ...attempt,
    confirmedAt: now,
    input: {
      saleId: attempt.saleId,
      lines: [
        {
          transactionId: attempt.transactionId,
          productType: "TOPUP",
          offerId: basket.offerId,
          recipientPhoneNumber: basket.number,
          ...(basket.value ? { value: basket.value } : {}),
          price: basket.price,
        },
      ],
      tenders: [{ kind: "CASH", tendered }],
    },
  };
}
