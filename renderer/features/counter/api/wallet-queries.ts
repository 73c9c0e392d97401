import { queryOptions } from "@tanstack/react-query";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import type { WalletCheckInput } from "../../../../server/contract/pos/wallet.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Offer that the wallet pays for; a RANGE offer has a `value`. */
export type PaidLine = WalletCheckInput["lines"][number];

export function paidLine({ offerId, value }: PaidLine): PaidLine {
  return { offerId, ...(value && { value }) };
}

/** Checks all lines together. Each change of the balance marks the answer stale. */
export function walletCheckQuery(lines: readonly PaidLine[]) {
  return queryOptions({
    ...operationQuery(counterOperations.checkWallet, { body: { lines } }),
    staleTime: 15_000,
    gcTime: 60_000,
    enabled: lines.length > 0,
  });
}
