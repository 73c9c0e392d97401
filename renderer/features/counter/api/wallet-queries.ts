import { queryOptions } from "@tanstack/react-query";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import type { WalletCheckInput } from "../../../../server/contract/pos/wallet.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** What the wallet is to pay for: an offer, and of a RANGE offer how much. */
export type PaidLine = WalletCheckInput["lines"][number];

/** What is said of a line, a bill or a quote, as the wallet is asked about it. */
export function paidLine({ offerId, value }: PaidLine): PaidLine {
  return { offerId, ...(value && { value }) };
}

/** Whether the wallet can pay for all of these; asked again whenever it holds more or less. */
export function walletCheckQuery(lines: readonly PaidLine[]) {
  return queryOptions({
    ...operationQuery(counterOperations.checkWallet, { body: { lines } }),
    staleTime: 15_000,
    gcTime: 60_000,
    enabled: lines.length > 0,
  });
}
