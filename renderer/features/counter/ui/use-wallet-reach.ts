import { useQuery } from "@tanstack/react-query";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { type PaidLine, walletCheckQuery } from "../api/wallet-queries.ts";

interface WalletReach {
  /**
   * Returns whether even the offer's lowest cost exceeds the balance; false until the balance is
   * known.
   */
  readonly cannotPay: (offer: { readonly costRank: number }) => boolean;
  /** Spendable balance; set only while it is low. */
  readonly short: WalletShort | undefined;
}

/** Compares the balance with shown offers, without a request per offer. */
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
