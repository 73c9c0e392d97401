import { useQuery } from "@tanstack/react-query";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { type PaidLine, walletCheckQuery } from "../api/wallet-queries.ts";

interface WalletReach {
  /** Even the offer's lowest cost exceeds the balance; false until the balance is known. */
  readonly cannotPay: (offer: { readonly costRank: number }) => boolean;
  /** Set while the balance is low: the purchases it still covers. */
  readonly short: WalletShort | undefined;
}

/** Spendable balance, compared with each shown offer without a request for each. */
export function useWalletReach(): WalletReach {
  const { data } = useQuery(walletQuery());
  return {
    cannotPay: ({ costRank }) => data !== undefined && costRank >= data.paysBelow,
    short: data?.short,
  };
}

/** Returns the spendable balance if it does not cover all of these lines, otherwise undefined. */
export function useWalletShort(lines: readonly PaidLine[]): WalletShort | undefined {
  const { data } = useQuery(walletCheckQuery(lines));
  return lines.length > 0 ? data?.short : undefined;
}
