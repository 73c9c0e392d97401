import { useQuery } from "@tanstack/react-query";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { type PaidLine, walletCheckQuery } from "../api/wallet-queries.ts";

interface WalletReach {
  /** It costs more than the wallet holds, at the least; false as long as nobody knows. */
  readonly cannotPay: (offer: { readonly costRank: number }) => boolean;
  /** What a wallet that is low can pay for. */
  readonly short: WalletShort | undefined;
}

/** What the wallet can pay for now, of everything that is shown, without asking about each. */
export function useWalletReach(): WalletReach {
  const { data } = useQuery(walletQuery());
  return {
    cannotPay: ({ costRank }) => data !== undefined && costRank >= data.paysBelow,
    short: data?.short,
  };
}

/** What the wallet can pay for where it cannot pay for all of these. */
export function useWalletShort(lines: readonly PaidLine[]): WalletShort | undefined {
  const { data } = useQuery(walletCheckQuery(lines));
  return lines.length > 0 ? data?.short : undefined;
}
