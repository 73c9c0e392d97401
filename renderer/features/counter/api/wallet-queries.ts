import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import type { WalletCheckInput } from "../../../../server/contract/pos/wallet.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** `value` is set for a RANGE offer. */
export type PaidLine = WalletCheckInput["lines"][number];

export function paidLine({ offerId, value }: PaidLine): PaidLine {
  return { offerId, ...(value && { value }) };
}

/**
 * Checks whether the balance covers all lines together. Each change of the balance makes the answer
 * stale.
 */
export function walletCheckQuery(lines: readonly PaidLine[]) {
  return {
    ...operationQuery(counterOperations.checkWallet, { body: { lines } }),
    staleTime: 15_000,
    gcTime: 60_000,
    enabled: lines.length > 0,
  };
}
