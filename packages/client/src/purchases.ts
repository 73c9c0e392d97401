import type { Calls } from "./calls.ts";
import { ApiError, UnconfirmedPurchaseError } from "./errors.ts";
import type { Family, Purchase, PurchaseInput, Quote } from "./families.ts";
import { isAnswerLost } from "./transport.ts";
import type { PurchaseAccepted, TransactionStatus } from "./v1.ts";
import { type WaitOptions, waitUntilFinal } from "./wait.ts";

/** Fields of the input that are also in the purchase's record. */
const REPEATED_FIELDS = ["offerId", "recipientPhoneNumber", "value", "fields"] as const;

/**
 * Sends a purchase. A repeat with the same `transactionId` returns the status of the first
 * purchase.
 * @throws ApiError with `DUPLICATE_TRANSACTION_ID` if another purchase has the id
 * @throws UnconfirmedPurchaseError if the gateway may have accepted the purchase
 */
export async function sendPurchase<F extends Family>(
  calls: Calls,
  family: F,
  input: PurchaseInput<F>,
  signal?: AbortSignal,
): Promise<PurchaseAccepted> {
  const transactionId = input.transactionId ?? crypto.randomUUID();
  const body = { ...input, transactionId };
  try {
    return (await calls.postPurchase(`/v1/${family}/purchases`, body, signal)) as PurchaseAccepted;
  } catch (error) {
    if (isAnswerLost(error)) throw new UnconfirmedPurchaseError(transactionId, error);
    if (!(error instanceof ApiError) || error.code !== "DUPLICATE_TRANSACTION_ID") throw error;
    const first = await readFirst(calls, family, transactionId);
    if (first === undefined || !isSamePurchase(body, first)) throw error;
    return { transactionId, status: first.status };
  }
}

/** Requests a quote, which may be repeated like a purchase because nothing is stored. */
export async function requestQuote<F extends Family>(
  calls: Calls,
  family: F,
  input: PurchaseInput<F>,
  signal?: AbortSignal,
): Promise<Quote<F>> {
  const transactionId = input.transactionId ?? crypto.randomUUID();
  const body = { ...input, transactionId, validateOnly: true };
  return (await calls.postPurchase(`/v1/${family}/purchases`, body, signal)) as Quote<F>;
}

export async function readPurchase<F extends Family>(
  calls: Calls,
  family: F,
  transactionId: string,
): Promise<Purchase<F>> {
  const init = { params: { path: { transactionId } } };
  // The four paths have the same parameters, so the type of one path fits all.
  const path = `/v1/${family}/purchases/{transactionId}` as "/v1/topups/purchases/{transactionId}";
  const record: unknown = await calls.get(path, init);
  return record as Purchase<F>;
}

export function waitForPurchase<F extends Family>(
  calls: Calls,
  family: F,
  transactionId: string,
  options?: WaitOptions,
): Promise<Purchase<F>> {
  return waitUntilFinal(
    () => readPurchase(calls, family, transactionId),
    ({ status }) => isFinalStatus(status),
    options,
  );
}

export function isFinalStatus(status: TransactionStatus): boolean {
  return status === "DONE" || status === "FAILED";
}

/**
 * @returns undefined if the family has no purchase with this id
 * @throws UnconfirmedPurchaseError if the purchase exists but cannot be read
 */
async function readFirst<F extends Family>(
  calls: Calls,
  family: F,
  transactionId: string,
): Promise<Purchase<F> | undefined> {
  try {
    return await readPurchase(calls, family, transactionId);
  } catch (error) {
    // The id belongs to a purchase of another family, or to a refund.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw new UnconfirmedPurchaseError(transactionId, error);
  }
}

function isSamePurchase(input: object, record: object): boolean {
  return REPEATED_FIELDS.every((name) => {
    const given = Reflect.get(input, name) as unknown;
    return given === undefined || canonical(given) === canonical(Reflect.get(record, name));
  });
}

/** Returns JSON that depends neither on the order of properties nor on the order of list items. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return value.map(canonical).toSorted().join();
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
