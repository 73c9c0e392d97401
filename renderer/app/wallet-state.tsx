import { IconWallet, IconWalletOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import type { PosWallet } from "../../server/contract/pos/wallet.ts";
import { useAnnounced } from "../lib/announcer.ts";
import { walletShortWords } from "../lib/error-words.ts";
import { walletQuery } from "../lib/pos-queries.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./wallet-state.module.css";

const LEVEL_WORDS = { low: "header.walletLow", empty: "header.walletEmpty" } as const;

/** That the wallet is low, for everybody; what it holds, for people who may see figures. */
export function WalletState({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: wallet } = useQuery(walletQuery());
  const warning = wallet && wallet.level !== "enough" ? t(LEVEL_WORDS[wallet.level]) : undefined;
  useAnnounced(warning, { urgency: wallet?.level === "empty" ? "assertive" : "polite" });
  if (!wallet) {
    // Its place is kept for people who will see the balance.
    return session.rights.seeExpectedCash ? (
      <span className={classes.wallet}>
        <Balance figures={undefined} />
      </span>
    ) : null;
  }
  if (!wallet.figures && !warning) {
    return null;
  }
  const { what } = wallet.short ? walletShortWords(wallet.short, t, format) : {};
  return (
    <span className={classes.wallet} title={what}>
      {wallet.figures ? <Balance figures={wallet.figures} /> : null}
      {warning ? (
        <strong className={classes.warning} data-level={wallet.level}>
          <IconWalletOff size="1.25rem" aria-hidden="true" />
          {warning}
        </strong>
      ) : null}
    </span>
  );
}

function Balance({ figures }: { readonly figures: PosWallet["figures"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const amount = figures
    ? format.money(figures.available, figures.currency, figures.currencyDivisor, "code")
    : "…";
  return (
    <>
      <IconWallet size="1.25rem" aria-hidden="true" />
      <span className={classes.word}>{t("header.wallet")}</span>
      <output className={classes.balance} aria-label={t("header.wallet")}>
        {/* Another amount stands where it belongs at once: nothing of the one before moves. */}
        <span key={amount}>{amount}</span>
      </output>
    </>
  );
}
