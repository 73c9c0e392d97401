import { IconSearch, IconWallet, IconWalletOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import type { PosWallet } from "../../server/contract/pos/wallet.ts";
import iconClasses from "../components/icon-button.module.css";
import { KeyCap } from "../components/key-cap.tsx";
import { useAnnounced } from "../lib/announcer.ts";
import { walletShortWords } from "../lib/error-words.ts";
import { useNow } from "../lib/gateway-clock.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { searchRequests } from "../lib/listeners.ts";
import { statusQuery, walletQuery } from "../lib/pos-queries.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./shop-header.module.css";

const LEVEL_WORDS = { low: "header.walletLow", empty: "header.walletEmpty" } as const;
const CLOCK_MS = 10_000;

interface ShopHeaderProps {
  readonly session: PosSession;
  /** Account menu, if the window is too narrow for the rail. */
  readonly account: ReactNode;
}

export function ShopHeader({ session, account }: ShopHeaderProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  return (
    <header className={classes.header}>
      {/* Cuts a long name at its end, in the name's own writing direction. */}
      <span className={classes.shop} dir="auto">
        {status?.shopName}
      </span>
      <Clock />
      <span className="flex-1" />
      {/* Before the mode, which a longer balance therefore does not move. */}
      {session.training ? null : <WalletState session={session} />}
      {status?.environment === "test" && !session.training ? (
        <span className={classes.chip} data-tone="test" title={t("header.testModeHint")}>
          {t("header.testMode")}
        </span>
      ) : null}
      {isOfficeOnly(session) ? null : <SearchButton />}
      {account}
    </header>
  );
}

function Clock() {
  const format = useFormat();
  const now = useNow(CLOCK_MS);
  return (
    <span className={classes.now}>
      <span className={classes.day}>{format.dayLong(now)} · </span>
      {format.time(now)}
    </span>
  );
}

function SearchButton() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={iconClasses.button}
      aria-label={t("search.open")}
      aria-keyshortcuts="Control+K"
      title={`${t("search.open")} (Ctrl+K)`}
      onClick={() => searchRequests.notify()}
    >
      <IconSearch size="1.25rem" aria-hidden="true" />
      <KeyCap>Ctrl K</KeyCap>
    </button>
  );
}

/** Warns every user of a low wallet. People with the permission also see the balance. */
function WalletState({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: wallet } = useQuery(walletQuery());
  const warning = wallet && wallet.level !== "enough" ? t(LEVEL_WORDS[wallet.level]) : undefined;
  useAnnounced(warning, { urgency: wallet?.level === "empty" ? "assertive" : "polite" });
  if (!wallet) {
    // Reserves space for the balance, for people with permission to see it.
    return session.rights.seeExpectedCash ? (
      <span key="unknown" className={`${classes.chip} ${classes.wide}`}>
        <Balance figures={undefined} />
      </span>
    ) : null;
  }
  if (!wallet.figures && !warning) {
    return null;
  }
  const { what } = wallet.short ? walletShortWords(wallet.short, t, format) : {};
  const Icon = warning ? IconWalletOff : IconWallet;
  return (
    <span
      className={`${classes.chip} ${warning ? "" : classes.wide}`}
      data-tone={warning ? wallet.level : undefined}
      title={what}
    >
      <Icon size="1.125rem" aria-hidden="true" />
      {warning ? <strong>{warning}</strong> : null}
      {wallet.figures ? <Balance figures={wallet.figures} /> : null}
    </span>
  );
}

function Balance({ figures }: { readonly figures: PosWallet["figures"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const amount = figures
    ? format.money(figures.available, figures.currency, figures.currencyDivisor)
    : "…";
  return (
    <>
      <span className={classes.word}>{t("header.wallet")}</span>
      <output className={classes.balance} aria-label={t("header.wallet")}>
        {/* A changed amount replaces the element instead of animating it. */}
        <span key={amount}>{amount}</span>
      </output>
    </>
  );
}
