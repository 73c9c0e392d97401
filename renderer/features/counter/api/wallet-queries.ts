import { queryOptions } from "@tanstack/react-query";
import type { WalletCheck, WalletCheckInput } from "../../../../server/contract/pos/wallet.ts";
import { request } from "../../../lib/api-client.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";

/** What the wallet is to pay for: an offer, and of a RANGE offer how much. */
export type PaidLine = WalletCheckInput["lines"][number];

/** What is said of a line, a bill or a quote, as the wallet is asked about it. */
export function paidLine({ offerId, value }: PaidLine): PaidLine {
  return { offerId, ...(value ? { value } : {}) };
}

/** Whether the wallet can pay for all of these; asked again whenever it holds more or less. */
export function walletCheckQuery(lines: readonly PaidLine[]) {
  return queryOptions({
    queryKey: [...walletQuery().queryKey, "check", lines],
    queryFn: ({ signal }) =>
      request<WalletCheck>("POST", "/pos/wallet/check", { body: { lines }, signal }),
    staleTime: 15_000,
    gcTime: 60_000,
    enabled: lines.length > 0,
  });
}
