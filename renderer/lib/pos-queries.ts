import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { counterOperations } from "../../server/contract/pos/counter.ts";
import { type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import { setupOperations } from "../../server/contract/pos/setup.ts";
import { type PosSession, sessionOperations } from "../../server/contract/pos/staff.ts";
import { ApiError, call, isRefusal } from "./api-client.ts";
import { isKeyOf, operationQuery, queryKeyOf } from "./operation-query.ts";
import { newerSale } from "./sale-outcome.ts";

/** What more than one feature asks the gateway; each feature keeps its own beside itself. */

/** Nothing is shown before these are answered: whatever is no refusal is asked again. */
const untilAnswered = { retry: (_count: number, error: unknown) => !isRefusal(error) };

export function statusQuery() {
  return queryOptions({
    ...operationQuery(setupOperations.getStatus),
    ...untilAnswered,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether an answer is of nobody and nowhere in particular: it stays when what was sold in is left. */
export function isOfAnyPlace({ queryKey }: { readonly queryKey: QueryKey }): boolean {
  return isKeyOf(queryKey, setupOperations.getStatus, sessionOperations.get);
}

/** Who is signed in; null is nobody. */
export function sessionQuery() {
  return queryOptions({
    queryKey: queryKeyOf(sessionOperations.get),
    queryFn: async ({ signal }): Promise<PosSession | null> => {
      try {
        return await call(sessionOperations.get, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          return null;
        }
        throw error;
      }
    },
    ...untilAnswered,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the shop can spend. Kept fresh by the `wallet` event. */
export function walletQuery() {
  return queryOptions({
    ...operationQuery(counterOperations.getWallet),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const UNFINISHED_POLL_MS = 15_000;

/** One sale. Kept fresh by the `sale` event; asked again slowly while unfinished, in case. */
export function saleQuery(saleId: string) {
  return queryOptions({
    ...operationQuery(saleOperations.get, { params: { saleId } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? lookAgainIn(state.data) : UNFINISHED_POLL_MS),
  });
}

/** A PIN or code goes from the screen when its time is over. */
function lookAgainIn(sale: Sale): number | false {
  if (!isSettled(sale)) {
    return UNFINISHED_POLL_MS;
  }
  const until = sale.lines.flatMap(({ detailsUntil }) =>
    detailsUntil ? [Date.parse(detailsUntil)] : [],
  );
  return until.length === 0 ? false : Math.max(Math.min(...until) - Date.now(), 0) + 1_000;
}

/** Puts a sale that was heard of into its query, unless a newer state of it is known. */
export function putSale(queryClient: QueryClient, sale: Sale): void {
  queryClient.setQueryData(saleQuery(sale.saleId).queryKey, (known) => newerSale(known, sale));
}

/** Whether every line has its final outcome. */
function isSettled(sale: Sale): boolean {
  return sale.lines.every(({ outcome }) => outcome === "DELIVERED" || outcome === "NOT_DELIVERED");
}
