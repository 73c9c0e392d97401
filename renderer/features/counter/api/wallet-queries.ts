import { queryOptions } from "@tanstack/react-query";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import type { WalletCheckInput } from "../../../../server/contract/pos/wallet.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** An offer that the wallet pays for; for a RANGE offer with its value. */
export type PaidLine = WalletCheckInput["lines"][number];

/** Reduces a line, a bill or a quote to the fields of a wallet check. */
export function paidLine({ offerId, value }: PaidLine): PaidLine {
  return { offerId, ...(value && { value }) };
}

/** Whether the wallet can pay for all of these lines. Stale after each change of the balance. */
export function walletCheckQuery(lines: readonly PaidLine[]) {
  return queryOptions({
    ...operationQuery(counterOperations.checkWallet, { body: { lines } }),
    staleTime: 15_000,
    gcTime: 60_000,
    enabled: lines.length > 0,
  });
}
