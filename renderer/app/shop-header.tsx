import { IconCircleCheck, IconPlugConnectedX, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import iconClasses from "../components/icon-button.module.css";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { openSearch } from "../features/search/open-search.ts";
import { useConnection } from "../lib/connection-store.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { CustomerDisplayButton } from "./customer-display-button.tsx";
import { KeysButton } from "./keys-button.tsx";
import classes from "./shop-header.module.css";
import { WalletState } from "./wallet-state.tsx";

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

function ConnectionState() {
  const { t } = useTranslation();
  const connection = useConnection();
  const Icon = connection === "online" ? IconCircleCheck : IconPlugConnectedX;
  return (
    <span className={classes.connection} data-state={connection} role="status">
      <Icon size="1.25rem" aria-hidden="true" />
      <span className={classes.connectionWord}>{t(`header.${connection}`)}</span>
    </span>
  );
}
