import { IconWalletOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { Notice } from "../../../components/notice.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { walletShortWords } from "../../../lib/error-words.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { useFormat } from "../../../lib/use-format.ts";
import pauseClasses from "./brand-pause.module.css";
import type { NextThing } from "./step-control.ts";

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
