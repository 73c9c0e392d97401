import {
  IconCircleCheck,
  IconDeviceTv,
  IconKeyboard,
  IconPlugConnectedX,
  IconSearch,
  IconWallet,
  IconWalletOff,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import type { PosWallet } from "../../server/contract/pos/wallet.ts";
import iconClasses from "../components/icon-button.module.css";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { openSearch } from "../features/search/open-search.ts";
import { useAnnounced } from "../lib/announcer.ts";
import { useConnection } from "../lib/connection-store.ts";
import { walletShortWords } from "../lib/error-words.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { statusQuery, walletQuery } from "../lib/pos-queries.ts";
import { letGo } from "../lib/rest-focus.ts";
import { useFormat } from "../lib/use-format.ts";
import { CustomerDisplayContext } from "./customer-display-context.ts";
import keysButtonClasses from "./keys-dialog.module.css";
import classes from "./shop-header.module.css";
import walletStateClasses from "./wallet-state.module.css";

const LEVEL_WORDS = { low: "header.walletLow", empty: "header.walletEmpty" } as const;

interface ShopHeaderProps {
  readonly session: PosSession;
  readonly onKeys: () => void;
  /** The person wants to change their PIN. */
  readonly onPin: () => void;
}

/** Shop, person, connection, test mode, and the wallet: always visible. */
export function ShopHeader({ session, onKeys, onPin }: ShopHeaderProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  const { staff, training } = session;
  return (
    <header className={classes.header}>
      {/* Where it is too long it loses its end, in whichever direction it runs. */}
      <span className={classes.shop} dir="auto">
        {status?.shopName}
      </span>
      <button type="button" className={classes.staff} title={t("choosePin.change")} onClick={onPin}>
        {t("header.signedIn", { name: staff.name, role: t(`role.${staff.role}`) })}
      </button>
      <span className={classes.space} />
      {status?.environment === "test" && !training ? (
        <strong className={classes.test} title={t("header.testModeHint")}>
          {t("header.testMode")}
        </strong>
      ) : null}
      <ConnectionState />
      {training ? null : <WalletState session={session} />}
      <span className={classes.tools}>
        {isOfficeOnly(session) ? null : (
          <>
            <SearchButton />
            <KeysButton onPress={onKeys} />
            <CustomerDisplayButton />
          </>
        )}
        <ThemeToggle />
      </span>
    </header>
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
      onClick={openSearch}
    >
      <IconSearch size="1.25rem" aria-hidden="true" />
    </button>
  );
}

const CONNECTIONS = ["online", "reconnecting"] as const;

function ConnectionState() {
  const { t } = useTranslation();
  const connection = useConnection();
  const Icon = connection === "online" ? IconCircleCheck : IconPlugConnectedX;
  return (
    <span className={classes.connection} data-state={connection} role="status">
      <Icon size="1.25rem" aria-hidden="true" />
      <span className={classes.connectionWord}>
        {CONNECTIONS.map((state) => (
          <span
            key={state}
            data-shown={state === connection}
            aria-hidden={state === connection ? undefined : true}
          >
            {t(`header.${state}`)}
          </span>
        ))}
      </span>
    </span>
  );
}

/** Sets up the customer's display on this till. */
function CustomerDisplayButton() {
  const { t } = useTranslation();
  const { openSettings } = useContext(CustomerDisplayContext);
  return (
    <button
      type="button"
      className={iconClasses.button}
      onClick={(event) => {
        letGo(event);
        openSettings();
      }}
      aria-label={t("display.dialog.title")}
      title={t("display.dialog.title")}
    >
      <IconDeviceTv size="1.25rem" aria-hidden="true" />
    </button>
  );
}

/** Opens the dialog that says which keys act. */
function KeysButton({ onPress }: { readonly onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={`${iconClasses.button} ${keysButtonClasses.button}`}
      aria-label={t("keys.title")}
      title={t("keys.title")}
      onClick={(event) => {
        letGo(event);
        onPress();
      }}
    >
      <IconKeyboard size="1.25rem" aria-hidden="true" />
    </button>
  );
}

/** That the wallet is low, for everybody; what it holds, for people who may see figures. */
function WalletState({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: wallet } = useQuery(walletQuery());
  const warning = wallet && wallet.level !== "enough" ? t(LEVEL_WORDS[wallet.level]) : undefined;
  useAnnounced(warning, { urgency: wallet?.level === "empty" ? "assertive" : "polite" });
  if (!wallet) {
    // Its place is kept for people who will see the balance.
    return session.rights.seeExpectedCash ? (
      <span className={walletStateClasses.wallet}>
        <Balance figures={undefined} />
      </span>
    ) : null;
  }
  if (!wallet.figures && !warning) {
    return null;
  }
  const { what } = wallet.short ? walletShortWords(wallet.short, t, format) : {};
  return (
    <span className={walletStateClasses.wallet} title={what}>
      {wallet.figures ? <Balance figures={wallet.figures} /> : null}
      {warning ? (
        <strong className={walletStateClasses.warning} data-level={wallet.level}>
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
      <span className={walletStateClasses.word}>{t("header.wallet")}</span>
      <output className={walletStateClasses.balance} aria-label={t("header.wallet")}>
        {/* Another amount stands where it belongs at once: nothing of the one before moves. */}
        <span key={amount}>{amount}</span>
      </output>
    </>
  );
}
