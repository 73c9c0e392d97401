import { type QueryClient, type QueryKey, queryOptions, useQueries } from "@tanstack/react-query";
import { counterOperations } from "../../server/contract/pos/counter.ts";
import { type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import { setupOperations } from "../../server/contract/pos/setup.ts";
import { type PosSession, sessionOperations } from "../../server/contract/pos/staff.ts";
import { ApiError, call, isRefusal } from "./api-client.ts";
import { isKeyOf, operationQuery, queryKeyOf } from "./operation-query.ts";
import { newerSale } from "./sale-outcome.ts";

/** Queries that several features use. A query of a single feature is in the feature's folder. */

/**
 * Responses that the first screen needs: failures other than refusals are retried without limit.
 */
const untilAnswered = { retry: (_count: number, error: unknown) => !isRefusal(error) };

export function statusQuery() {
  return queryOptions({
    ...operationQuery(setupOperations.getStatus),
    ...untilAnswered,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Returns whether a response depends on neither person nor environment, so that it stays valid when
 * either changes.
 */
export function isOfAnyPlace({ queryKey }: { readonly queryKey: QueryKey }): boolean {
  return isKeyOf(queryKey, setupOperations.getStatus, sessionOperations.get);
}

/** The signed-in person; null if none. */
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

/** Spendable balance of the shop. The `wallet` event updates it. */
export function walletQuery() {
  return { ...operationQuery(counterOperations.getWallet), staleTime: Number.POSITIVE_INFINITY };
}

const UNFINISHED_POLL_MS = 15_000;

/** A sale. The `sale` event updates it; an unfinished sale is also polled slowly. */
export function saleQuery(saleId: string) {
  return queryOptions({
    ...operationQuery(saleOperations.get, { params: { saleId } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? lookAgainIn(state.data) : UNFINISHED_POLL_MS),
  });
}

/** Returns the cached sales without a request. */
export function useCachedSales(saleIds: readonly string[]): readonly Sale[] {
  const known = useQueries({
    queries: saleIds.map((saleId) => ({ ...saleQuery(saleId), enabled: false })),
  });
  return known.flatMap(({ data }) => data ?? []);
}

/**
 * Returns the delay until a sale is queried again: a poll, or the time when a PIN or code
 * disappears.
 */
function lookAgainIn(sale: Sale): number | false {
  if (!isSettled(sale)) {
    return UNFINISHED_POLL_MS;
  }
  const until = sale.lines.flatMap(({ detailsUntil }) =>
    detailsUntil ? [Date.parse(detailsUntil)] : [],
  );
  return until.length === 0 ? false : Math.max(Math.min(...until) - Date.now(), 0) + 1_000;
}

export function putSale(queryClient: QueryClient, sale: Sale): void {
  queryClient.setQueryData(saleQuery(sale.saleId).queryKey, (known) => newerSale(known, sale));
}

function isSettled(sale: Sale): boolean {
  return sale.lines.every(({ outcome }) => outcome === "DELIVERED" || outcome === "NOT_DELIVERED");
}
