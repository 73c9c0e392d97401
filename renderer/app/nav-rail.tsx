import {
  IconBell,
  IconBellRinging,
  IconBuildingStore,
  IconCalendarStats,
  IconCash,
  IconLock,
  IconPrinter,
  IconSchool,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../server/contract/pos/families.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { KeyCap } from "../components/key-cap.tsx";
import { familyOfKey, PLUGINS, paramOfFamily } from "../features/counter/families/index.ts";
import { alertsQuery, countAlerts, hasAlerts } from "../lib/alerts-query.ts";
import { hasOffice, isOfficeOnly } from "../lib/has-office.ts";
import { shortcutOf } from "../lib/key-edge.ts";
import { isOfDialog } from "../lib/open-dialogs.ts";
import { useFormat } from "../lib/use-format.ts";
import { useScreenKeys } from "../lib/use-screen-keys.ts";
import classes from "./nav-rail.module.css";

interface NavRailProps {
  readonly session: PosSession;
  /** Its keys stay where another navigation is shown in its place. */
  readonly isHidden: boolean;
  readonly onLock: () => void;
  /** Absent while training: the banner ends it. */
  readonly onTrain: (() => void) | undefined;
}

const PLACES = [
  { to: "/today", key: "F6", label: "nav.today", Icon: IconCalendarStats, ownerOnly: false },
  { to: "/shift", key: "F7", label: "nav.shift", Icon: IconCash, ownerOnly: false },
  { to: "/staff", key: "F10", label: "nav.staff", Icon: IconUsers, ownerOnly: true },
] as const;

/** The screens, each with the function key that opens it, and the lock. */
export function NavRail({ session, isHidden, onLock, onTrain }: NavRailProps) {
  const { t } = useTranslation();
  const isOwner = session.staff.role === "owner";
  const mayOffice = hasOffice(session);
  const isSeller = !isOfficeOnly(session);
  const places = PLACES.filter(({ ownerOnly }) => isSeller && (isOwner || !ownerOnly));

  useRailKeys({ isOwner, isSeller, mayOffice, onLock });

  return isHidden ? null : (
    <nav className={classes.rail} aria-label={t("app.menu")}>
      {isSeller ? <FamilyPlaces /> : null}
      <div className={classes.others} data-strip>
        {places.map(({ to, key, label, Icon }) => (
          <Link key={to} to={to} className={classes.place} activeOptions={{ exact: true }}>
            <Icon size="1.5rem" stroke={1.75} aria-hidden="true" />
            <span>{t(label)}</span>
            <KeyCap>{key}</KeyCap>
          </Link>
        ))}
        {mayOffice ? <OfficePlace /> : null}
        {mayOffice && hasAlerts(session) ? <AlertBell /> : null}
        <span className={classes.space} />
        {isSeller && onTrain ? (
          <button type="button" className={classes.place} data-small onClick={onTrain}>
            <IconSchool size="1.5rem" stroke={1.75} aria-hidden="true" />
            <span>{t("training.begin")}</span>
          </button>
        ) : null}
        {isSeller ? (
          <Link to="/printing" className={classes.place} data-small activeOptions={{ exact: true }}>
            <IconPrinter size="1.5rem" stroke={1.75} aria-hidden="true" />
            <span>{t("nav.printing")}</span>
          </Link>
        ) : null}
      </div>
      <button type="button" className={classes.place} onClick={onLock}>
        <IconLock size="1.5rem" stroke={1.75} aria-hidden="true" />
        <span>{t("nav.lock")}</span>
        <KeyCap>F9</KeyCap>
      </button>
    </nav>
  );
}

/** What is sold, by family. */
function FamilyPlaces() {
  const { t } = useTranslation();
  return FAMILIES.map((family) => {
    const { Icon, key, sell } = PLUGINS[family];
    return (
      <Link
        key={sell}
        to="/"
        search={{ sell }}
        className={classes.place}
        activeOptions={{ exact: true }}
      >
        <Icon size="1.5rem" stroke={1.75} aria-hidden="true" />
        <span>{t(`family.${family}.tab`)}</span>
        <KeyCap>{key}</KeyCap>
      </Link>
    );
  });
}

function OfficePlace() {
  const { t } = useTranslation();
  return (
    <Link to="/office" className={classes.place} data-two-keys aria-keyshortcuts="Alt+B">
      <IconBuildingStore size="1.5rem" stroke={1.75} aria-hidden="true" />
      <span>{t("nav.office")}</span>
      <KeyCap>Alt+B</KeyCap>
    </Link>
  );
}

interface RailKeys {
  readonly isOwner: boolean;
  readonly isSeller: boolean;
  readonly mayOffice: boolean;
  readonly onLock: () => void;
}

/** The keys of the screens and families, and of the lock. */
function useRailKeys({ isOwner, isSeller, mayOffice, onLock }: RailKeys): void {
  const navigate = useNavigate();
  useScreenKeys(
    (event) => {
      // The counter opens its families by itself. Over a dialog, only the lock is in reach.
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
      } else if (place && (isOwner || !place.ownerOnly)) {
        void navigate({ to: place.to });
      } else {
        return;
      }
      event.preventDefault();
    },
    { inDialogs: true },
  );
}

/** How many alerts wait for the person, and the way to them; nothing while there are none. */
function AlertBell() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  if (count === 0) {
    return null;
  }
  const Icon = isUrgent ? IconBellRinging : IconBell;
  return (
    <Link
      to="/office/$section"
      params={{ section: "overview" }}
      className={classes.place}
      data-small
      data-alerts={isUrgent ? "urgent" : "soon"}
    >
      <Icon size="1.5rem" stroke={1.75} aria-hidden="true" />
      <span>{t("nav.alerts", { number: format.number(count) })}</span>
    </Link>
  );
}
