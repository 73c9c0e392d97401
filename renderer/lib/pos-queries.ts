import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Sale } from "../../server/contract/pos/sales.ts";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import type { PosWallet } from "../../server/contract/pos/wallet.ts";
import { ApiError, request } from "./api-client.ts";
import { newerSale } from "./sale-outcome.ts";

/** What more than one feature asks the gateway; each feature keeps its own beside itself. */

export function statusQuery() {
  return queryOptions({
    queryKey: ["status"],
    queryFn: ({ signal }) => request<PosStatus>("GET", "/pos/status", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Who is signed in; null is nobody. */
export function sessionQuery() {
  return queryOptions({
    queryKey: ["session"],
    queryFn: async ({ signal }): Promise<PosSession | null> => {
      try {
        return await request<PosSession>("GET", "/pos/session", { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          return null;
        }
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the shop can spend. Kept fresh by the `wallet` event. */
export function walletQuery() {
  return queryOptions({
    queryKey: ["wallet"],
    queryFn: ({ signal }) => request<PosWallet>("GET", "/pos/wallet", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const UNFINISHED_POLL_MS = 15_000;

/** One sale. Kept fresh by the `sale` event; asked again slowly while unfinished, in case. */
export function saleQuery(saleId: string) {
  return queryOptions({
    queryKey: ["sale", saleId],
    queryFn: ({ signal }) => request<Sale>("GET", `/pos/sales/${saleId}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? lookAgainIn(state.data) : UNFINISHED_POLL_MS),
  });
}

/** A PIN or code goes from the screen when its time is over. */
function lookAgainIn(sale: Sale): number | false {
  if (!isSettled(sale)) {
    return UNFINISHED_POLL_MS;
  }
  const until = sale.lines.flatMap(({ slipUntil }) => (slipUntil ? [Date.parse(slipUntil)] : []));
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
