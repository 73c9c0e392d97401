import { type Calls, type CallsOptions, createCalls } from "./calls.ts";
import { ApiError, UnconfirmedPurchaseError, WaitTimeoutError } from "./errors.ts";
import type { Family, Purchase, PurchaseInput, Quote } from "./families.ts";
import {
  iterate,
  type ListFilters,
  type ListItem,
  type ListOptions,
  type ListPath,
} from "./pages.ts";
import { isAnswerLost, pause } from "./transport.ts";
import type { EsimRefundStatus, PurchaseAccepted, Report, TransactionStatus } from "./v1.ts";

/** Fields of the input that are also in the purchase's record. */
const REPEATED_FIELDS = ["offerId", "recipientPhoneNumber", "value", "fields"] as const;

/**
 * Sends a purchase. A repeat with the same `transactionId` returns the status of the first
 * purchase.
 * @throws ApiError with `DUPLICATE_TRANSACTION_ID` if another purchase has the id
 * @throws UnconfirmedPurchaseError if the gateway may have accepted the purchase
 */
async function sendPurchase<F extends Family>(
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
async function requestQuote<F extends Family>(
  calls: Calls,
  family: F,
  input: PurchaseInput<F>,
  signal?: AbortSignal,
): Promise<Quote<F>> {
  const transactionId = input.transactionId ?? crypto.randomUUID();
  const body = { ...input, transactionId, validateOnly: true };
  return (await calls.postPurchase(`/v1/${family}/purchases`, body, signal)) as Quote<F>;
}

async function readPurchase<F extends Family>(
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

function waitForPurchase<F extends Family>(
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

function isFinalStatus(status: TransactionStatus): boolean {
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

export type ClientOptions = CallsOptions;

/** A client of one environment of a gateway. The API key determines the environment. */
export interface TillgateClient extends Pick<Calls, "get" | "post" | "download"> {
  /** Iterates over every item of a list, page by page. */
  list<P extends ListPath>(
    path: P,
    filters?: ListFilters<P>,
    options?: ListOptions,
  ): AsyncGenerator<ListItem<P>, void, undefined>;
  /**
   * Returns the fields that a purchase would have, such as `price` and `cost`. Nothing is stored and
   * the id stays free.
   */
  quote<F extends Family>(
    family: F,
    input: PurchaseInput<F>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Quote<F>>;
  /**
   * Sends a purchase. A repeated call with the same `transactionId` is safe: it returns the status
   * of the first purchase. If the input has no id, the client generates an id, which the result and
   * every `UnconfirmedPurchaseError` contain.
   */
  purchase<F extends Family>(
    family: F,
    input: PurchaseInput<F>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<PurchaseAccepted>;
  getPurchase<F extends Family>(family: F, transactionId: string): Promise<Purchase<F>>;
  /**
   * Waits until a purchase is `DONE` or `FAILED`.
   * @throws WaitTimeoutError
   */
  waitForPurchase<F extends Family>(
    family: F,
    transactionId: string,
    options?: WaitOptions,
  ): Promise<Purchase<F>>;
  /** Sends a purchase and waits until it is `DONE` or `FAILED`. */
  purchaseAndWait<F extends Family>(
    family: F,
    input: PurchaseInput<F>,
    options?: WaitOptions,
  ): Promise<Purchase<F>>;
  /**
   * Waits until the refund of an eSIM is `DONE` or `FAILED`.
   * @throws WaitTimeoutError
   */
  waitForRefund(transactionId: string, options?: WaitOptions): Promise<EsimRefundStatus>;
  /**
   * Waits until a report is `Ready` or `FAILED`.
   * @throws WaitTimeoutError
   */
  waitForReport(reportId: string, options?: WaitOptions): Promise<Report>;
}

/** The API allows one read of a report per second. */
const REPORT_INTERVAL_MS = 1_000;

export function createTillgateClient(options: ClientOptions): TillgateClient {
  const calls = createCalls(options);
  return {
    get: calls.get,
    post: calls.post,
    download: calls.download,
    list: (path, filters, listOptions = {}) => iterate(calls, path, filters ?? {}, listOptions),
    quote: (family, input, { signal } = {}) => requestQuote(calls, family, input, signal),
    purchase: (family, input, { signal } = {}) => sendPurchase(calls, family, input, signal),
    getPurchase: (family, transactionId) => readPurchase(calls, family, transactionId),
    waitForPurchase: (family, transactionId, wait) =>
      waitForPurchase(calls, family, transactionId, wait),
    async purchaseAndWait(family, input, wait = {}) {
      const { transactionId } = await sendPurchase(calls, family, input, wait.signal);
      return await waitForPurchase(calls, family, transactionId, wait);
    },
    waitForRefund: (transactionId, wait) =>
      waitUntilFinal(
        () =>
          calls.get("/v1/esim/purchases/{transactionId}/refund", {
            params: { path: { transactionId } },
          }),
        ({ status }) => isFinalStatus(status),
        wait,
      ),
    waitForReport: (reportId, wait) =>
      waitUntilFinal(
        () => calls.get("/v1/reports/transactions/{reportId}", { params: { path: { reportId } } }),
        ({ status }) => status !== "REQUESTED",
        { intervalMs: REPORT_INTERVAL_MS, ...wait },
      ),
  };
}

export interface WaitOptions {
  /** Maximum wait. Default: 2 minutes. The gateway may process a purchase for 24 hours. */
  readonly timeoutMs?: number;
  /**
   * First interval between two reads. Later intervals grow to at most ten times the first. Default:
   * 0.5 s.
   */
  readonly intervalMs?: number;
  readonly signal?: AbortSignal;
}

const BACK_OFF = 1.5;
const MAX_BACK_OFF = 10;

/** @throws WaitTimeoutError with the last read record */
async function waitUntilFinal<Item>(
  read: () => Promise<Item>,
  isFinal: (item: Item) => boolean,
  { timeoutMs = 120_000, intervalMs = 500, signal }: WaitOptions = {},
): Promise<Item> {
  const deadline = Date.now() + timeoutMs;
  for (let interval = intervalMs; ; ) {
    const item = await read();
    if (isFinal(item)) return item;
    const left = deadline - Date.now();
    if (left <= 0) throw new WaitTimeoutError(timeoutMs, item);
    await pause(Math.min(interval, left), signal);
    interval = Math.min(interval * BACK_OFF, intervalMs * MAX_BACK_OFF);
  }
}
