import { type Calls, type CallsOptions, createCalls } from "./calls.ts";
import type { Family, Purchase, PurchaseInput, Quote } from "./families.ts";
import {
  iterate,
  type ListFilters,
  type ListItem,
  type ListOptions,
  type ListPath,
} from "./pages.ts";
import {
  isFinalStatus,
  readPurchase,
  requestQuote,
  sendPurchase,
  waitForPurchase,
} from "./purchases.ts";
import type { EsimRefundStatus, PurchaseAccepted, Report } from "./v1.ts";
import { type WaitOptions, waitUntilFinal } from "./wait.ts";

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
