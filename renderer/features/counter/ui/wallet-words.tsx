import { IconWalletOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { WalletShort } from "../../../../server/contract/pos/wallet.ts";
import { Notice } from "../../../components/notice.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { walletShortWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import pauseClasses from "./brand-pause.module.css";

/** Marks a tile whose offer the wallet cannot pay for. */
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
  /** Absent while the wallet covers usual amounts. */
  readonly short: WalletShort | undefined;
  /** The shown offer must not be sold. */
  readonly stops?: boolean;
}

/** Says which purchases the wallet still covers, and who can help. */
export function WalletNotice({ short, stops = false }: WalletNoticeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const what = short ? walletShortWords(short, t, format).what : t("counter.wallet.tooMuch");
  const next = t("counter.wallet.next");
  useAnnounced(`${what} ${next}`, { urgency: "assertive" });
  return (
    // Other words replace the notice: nothing in it slides.
    <Notice key={what} tone={stops ? "stop" : "wait"}>
      <strong>{what}</strong> {next}
    </Notice>
  );
}
