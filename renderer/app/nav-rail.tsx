import {
  IconBuildingStore,
  IconCashRegister,
  IconReceipt,
  IconShoppingBagPlus,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { KeyCap } from "../components/key-cap.tsx";
import { Mark } from "../components/mark.tsx";
import { familyOfKey, paramOfFamily } from "../features/counter/families/family-address.ts";
import { currentShiftQuery, xReportQuery } from "../features/shift/api/shift-queries.ts";
import { alertsQuery, countAlerts, hasAlerts } from "../lib/alerts-query.ts";
import { hasOffice, isOfficeOnly } from "../lib/has-office.ts";
import { shortcutOf } from "../lib/key-edge.ts";
import { isOfDialog } from "../lib/open-dialogs.ts";
import { useFormat } from "../lib/use-format.ts";
import { useScreenKeys } from "../lib/use-screen-keys.ts";
import classes from "./nav-rail.module.css";

/** Maximum age of the shift report for the count on Sales; a changed sale refreshes it earlier. */
const STALE_MS = 10_000;

interface NavRailProps {
  readonly session: PosSession;
  /** Hides the rail while the screen shows another navigation. The rail's keys still work. */
  readonly isHidden: boolean;
  readonly onLock: () => void;
  /** Account menu at the end of the rail; a narrow window shows it elsewhere. */
  readonly account: ReactNode;
}

const PLACES = [
  { to: "/today", key: "F6" },
  { to: "/shift", key: "F7" },
  { to: "/staff", key: "F10" },
] as const;

export function NavRail({ session, isHidden, onLock, account }: NavRailProps) {
  const { t } = useTranslation();
  const mayOffice = hasOffice(session);
  const isSeller = !isOfficeOnly(session);
  useRailKeys({ isOwner: session.staff.role === "owner", isSeller, mayOffice, onLock });
  return isHidden ? null : (
    <nav className={classes.rail} aria-label={t("app.menu")}>
      <Mark className={classes.mark} />
      {isSeller ? (
        <>
          <Link
            to="/"
            search={{ sell: "topup" }}
            className={classes.place}
            activeOptions={{ exact: true, includeSearch: false }}
            title={`${t("nav.sell")} (F1)`}
          >
            <IconShoppingBagPlus size="1.5rem" stroke={1.75} aria-hidden="true" />
            <span>{t("nav.sell")}</span>
          </Link>
          <Link
            to="/today"
            className={classes.place}
            activeOptions={{ exact: true }}
            title={`${t("nav.today")} (F6)`}
          >
            <IconReceipt size="1.5rem" stroke={1.75} aria-hidden="true" />
            <span>{t("nav.today")}</span>
            {session.training ? null : <SalesToDo />}
            <KeyCap>F6</KeyCap>
          </Link>
          <Link
            to="/shift"
            className={classes.place}
            activeOptions={{ exact: true }}
            title={`${t("nav.shift")} (F7)`}
          >
            <IconCashRegister size="1.5rem" stroke={1.75} aria-hidden="true" />
            <span>{t("nav.shift")}</span>
            <KeyCap>F7</KeyCap>
          </Link>
        </>
      ) : null}
      {mayOffice ? (
        <Link
          to="/office"
          className={classes.place}
          aria-keyshortcuts="Alt+B"
          title={`${t("nav.office")} (Alt+B)`}
        >
          <IconBuildingStore size="1.5rem" stroke={1.75} aria-hidden="true" />
          <span>{t("nav.office")}</span>
          {hasAlerts(session) ? <AlertCount /> : null}
          <KeyCap>Alt B</KeyCap>
        </Link>
      ) : null}
      {account}
    </nav>
  );
}

/** Number of failed lines of the person's shift that were neither refunded nor replaced. */
function SalesToDo() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: current } = useQuery(currentShiftQuery());
  const shiftId = current?.shift?.shiftId;
  const { data } = useQuery({
    ...xReportQuery(shiftId ?? ""),
    staleTime: STALE_MS,
    enabled: shiftId !== undefined,
  });
  const count = data?.owed.length ?? 0;
  return count === 0 ? null : (
    <Count number={format.number(count)} spoken={t("nav.salesToDo", { count })} />
  );
}

function AlertCount() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  const number = format.number(count);
  return count === 0 ? null : (
    <Count number={number} spoken={t("nav.alerts", { number })} isUrgent={isUrgent} />
  );
}

interface CountProps {
  readonly number: string;
  readonly spoken: string;
  readonly isUrgent?: boolean;
}

function Count({ number, spoken, isUrgent = true }: CountProps) {
  return (
    <span
      className={classes.count}
      data-urgent={isUrgent}
      data-alerts={isUrgent ? "urgent" : "soon"}
    >
      <span aria-hidden="true">{number}</span>
      <span className="spoken">{spoken}</span>
    </span>
  );
}

interface RailKeys {
  readonly isOwner: boolean;
  readonly isSeller: boolean;
  readonly mayOffice: boolean;
  readonly onLock: () => void;
}

function useRailKeys({ isOwner, isSeller, mayOffice, onLock }: RailKeys): void {
  const navigate = useNavigate();
  useScreenKeys(
    (event) => {
      // The counter handles the keys of its families. While a dialog is open, only the lock key
      // works.
      const isDialogs = isOfDialog(event) && event.key !== "F9";
      const shortcut = shortcutOf(event);
      if (shortcut === "KeyB" && mayOffice && !isOfDialog(event)) {
        event.preventDefault();
        void navigate({ to: "/office" });
        return;
      }
      if (shortcut === "KeyT" && isOwner && !isOfDialog(event)) {
        event.preventDefault();
        void navigate({ to: "/office/$section", params: { section: "live" } });
        return;
      }
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isDialogs) {
        return;
      }
      const sold = familyOfKey(event.key);
      const place = PLACES.find(({ key }) => key === event.key);
      if (event.key === "F9") {
        onLock();
      } else if (!isSeller) {
        return;
      } else if (sold) {
        void navigate({ to: "/", search: { sell: paramOfFamily(sold) } });
      } else if (place && (isOwner || place.to !== "/staff")) {
        void navigate({ to: place.to });
      } else {
        return;
      }
      event.preventDefault();
    },
    { inDialogs: true },
  );
}
