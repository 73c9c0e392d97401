import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import {
  type ProviderList,
  providerOperations,
} from "../../../../server/contract/pos/providers.ts";
import { rechargeOperations } from "../../../../server/contract/pos/recharges.ts";
import { upstreamOperations } from "../../../../server/contract/pos/upstream.ts";
import { walletOfficeOperations } from "../../../../server/contract/pos/wallet-office.ts";
import { call, type InputOf } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";
import type { StatementFilter } from "../statement-filter.ts";

const PAGE = 50;

/** Queries to invalidate after each recharge or reversal. */
export const WALLET_ANSWERS = [
  counterOperations.getWallet,
  walletOfficeOperations.viewOverview,
  walletOfficeOperations.listStatement,
  upstreamOperations.get,
  providerOperations.list,
];

/** Query of the statement, page by page, newest first. */
export function statementQuery({ kind, firstDay, lastDay }: StatementFilter) {
  const query = { kind, firstDay, lastDay };
  return infiniteQueryOptions({
    queryKey: queryKeyOf(walletOfficeOperations.listStatement, { query }),
    queryFn: ({ pageParam, signal }) =>
      call(walletOfficeOperations.listStatement, {
        query: { ...query, before: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

/** `balance` is the last comparison of the provider's balance with the wallet. */
export function upstreamQuery() {
  return { ...operationQuery(upstreamOperations.get), staleTime: 10_000 };
}

export function connectedProvidersQuery() {
  return queryOptions({
    ...operationQuery(providerOperations.list),
    staleTime: 10_000,
    select: ({ list }: ProviderList) => list.filter(({ state }) => state !== "DISCONNECTED"),
  });
}

/**
 * Queries the balances of these providers, which may take long.
 * @throws Error of the first provider that fails; the other balances are still stored
 */
export async function compareNow(providerIds: readonly string[]): Promise<void> {
  const queries = providerIds.map((providerId) =>
    call(upstreamOperations.test, { query: { providerId }, timeoutMs: 30_000 }),
  );
  await Promise.allSettled(queries);
  await Promise.all(queries);
}

export function putAlert(body: InputOf<typeof walletOfficeOperations.setAlert>["body"]) {
  return call(walletOfficeOperations.setAlert, { body });
}

export function putTestBalance(available: number) {
  return call(walletOfficeOperations.setTestBalance, { body: { available } });
}

export function reverseRecharge(
  rechargeId: string,
  body: InputOf<typeof rechargeOperations.reverseRecharge>["body"],
) {
  return call(rechargeOperations.reverseRecharge, { params: { rechargeId }, body });
}

export function bookRecharge(body: InputOf<typeof rechargeOperations.recharge>["body"]) {
  return call(rechargeOperations.recharge, { body });
}
