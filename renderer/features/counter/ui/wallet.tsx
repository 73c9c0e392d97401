import { IconWalletOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { Notice } from "../../../components/notice.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { walletShortWords } from "../../../lib/error-words.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { walletQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { type PaidLine, walletCheckQuery } from "../api/wallet-queries.ts";
import pauseClasses from "./brand-pause.module.css";
import type { NextThing } from "./step-control.ts";

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

export function WalletMark() {
  const { t } = useTranslation();
  return (
    <span className={pauseClasses.mark} data-stop="true">
      <IconWalletOff size="1.15em" aria-hidden="true" className={pauseClasses.markIcon} />{" "}
      {t("counter.wallet.mark")}
    </span>
  );
}

interface WalletNoticeProps {
  /** Undefined while the wallet covers usual amounts. */
  readonly short: WalletShort | undefined;
  /** True if the shown offer must not be sold. */
  readonly stops?: boolean;
}

export function WalletNotice({ short, stops = false }: WalletNoticeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const what = short ? walletShortWords(short, t, format).what : t("counter.wallet.tooMuch");
  const next = t("counter.wallet.next");
  useAnnounced(`${what} ${next}`, { urgency: "assertive" });
  return (
    // A new text replaces the whole notice, so that no part of it moves.
    <Notice key={what} tone={stops ? "stop" : "wait"}>
      <strong>{what}</strong> {next}
    </Notice>
  );
}

/**
 * Blocks the step, so that the clerk takes no money for a purchase that the wallet cannot pay for.
 */
export function walletNext(t: Translate): NextThing {
  const words = t("counter.next.walletShort");
  return { label: words, ready: false, missing: words };
}
