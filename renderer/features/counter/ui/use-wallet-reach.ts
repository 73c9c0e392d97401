import { useQuery } from "@tanstack/react-query";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { type PaidLine, walletCheckQuery } from "../api/wallet-queries.ts";

interface WalletReach {
  /** Returns whether even the lowest cost exceeds the balance. False until the balance is known. */
  readonly cannotPay: (offer: { readonly costRank: number }) => boolean;
  /** Spendable balance. Set only while it is low. */
  readonly short: WalletShort | undefined;
}

/** Compares offers with the balance without a request for each. */
export function useWalletReach(): WalletReach {
  const { data } = useQuery(walletQuery());
  return {
    cannotPay: ({ costRank }) => data !== undefined && costRank >= data.paysBelow,
    short: data?.short,
  };
}

/** Returns the spendable balance if it does not cover the lines. */
export function useWalletShort(lines: readonly PaidLine[]): WalletShort | undefined {
  const { data } = useQuery(walletCheckQuery(lines));
  return lines.length > 0 ? data?.short : undefined;
}
