import { Skeleton } from "@mantine/core";
import {
  IconArrowLeft,
  IconChartBar,
  IconDeviceDesktop,
  IconFlask,
  IconKey,
  IconLayoutDashboard,
  IconListSearch,
  IconMenu2,
  IconPackages,
  IconPlugConnected,
  IconReceipt,
  IconRocket,
  IconSearch,
  IconSettings,
  IconTableExport,
  IconTag,
  IconUsers,
  IconWallet,
  IconWebhook,
  IconX,
  type TablerIcon,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ComponentType, Suspense, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../server/contract/pos/staff.ts";
import { AwaitedScreen } from "../../components/awaited-screen.tsx";
import { Mark } from "../../components/mark.tsx";
import { Notice } from "../../components/notice.tsx";
import { readinessQuery } from "../../features/going-live/api/going-live-queries.ts";
import { AccountContext } from "../../lib/account-context.ts";
import { alertsQuery, countAlerts, hasAlerts } from "../../lib/alerts-query.ts";
import { isOfficeOnly } from "../../lib/has-office.ts";
import { addOfficeWords } from "../../lib/i18n.ts";
import { latePart } from "../../lib/late.tsx";
import { searchRequests } from "../../lib/listeners.ts";
import {
  OFFICE_SECTIONS,
  type OfficeSectionName,
  type OfficeSectionProps,
} from "../../lib/office-section.ts";
import { sessionQuery, statusQuery } from "../../lib/pos-queries.ts";

import { useFormat } from "../../lib/use-format.ts";
import { useTitle } from "../../lib/use-title.ts";
import { officeWordsIn } from "../../locales/office-words.ts";
import classes from "./office-page.module.css";

/**
 * Refresh interval of the progress of going live. It is long, because each check queries the
 * provider.
 */
const PROGRESS_MS = 10 * 60_000;

/** Groups of the navigation. The first has no heading, and the last is at the bottom. */
const GROUPS = [
  { name: undefined, sections: ["overview", "sales", "reports", "bulk"] },
  { name: "money", sections: ["wallet", "prices", "providers"] },
  { name: "shop", sections: ["catalog", "staff", "devices", "settings"] },
  { name: "integrations", sections: ["keys", "webhooks", "requests", "sandboxes"] },
  { name: "foot", sections: ["live"] },
] as const satisfies readonly {
  readonly name: string | undefined;
  readonly sections: readonly OfficeSectionName[];
}[];

const SECTIONS: Readonly<Record<OfficeSectionName, OfficeSection>> = {
  overview: {
    Icon: IconLayoutDashboard,
    isFor: (session) => session.rights.seeFigures || hasAlerts(session),
    Screen: latePart(async () => (await import("./sections/overview-section.tsx")).OverviewSection),
  },
  sales: {
    Icon: IconReceipt,
    isFor: ({ rights }) => rights.seeExpectedCash || rights.changeCatalog || rights.settleCases,
    Screen: latePart(async () => (await import("./sections/sales-section.tsx")).SalesSection),
  },
  reports: {
    Icon: IconChartBar,
    isFor: seesFigures,
    Screen: latePart(async () => (await import("./sections/reports-section.tsx")).ReportsSection),
  },
  bulk: {
    Icon: IconTableExport,
    isFor: isOwner,
    Screen: latePart<OfficeSectionProps>(
      async () => (await import("../../features/bulk/components/bulk-screen.tsx")).BulkScreen,
    ),
  },
  wallet: {
    Icon: IconWallet,
    isFor: seesFigures,
    Screen: latePart<OfficeSectionProps>(
      async () => (await import("../../features/wallet/components/wallet-screen.tsx")).WalletScreen,
    ),
  },
  prices: {
    Icon: IconTag,
    isFor: ({ rights }) => rights.changePrices,
    Screen: latePart<OfficeSectionProps>(
      async () => (await import("../../features/prices/components/prices-screen.tsx")).PricesScreen,
    ),
  },
  providers: {
    Icon: IconPlugConnected,
    isFor: isOwner,
    Screen: latePart<OfficeSectionProps>(
      async () =>
        (await import("../../features/going-live/components/providers/providers-screen.tsx"))
          .ProvidersScreen,
    ),
  },
  catalog: {
    Icon: IconPackages,
    isFor: ({ rights }) => rights.changeCatalog,
    Screen: latePart(async () => (await import("./sections/catalog-section.tsx")).CatalogSection),
  },
  staff: {
    Icon: IconUsers,
    isFor: isOwner,
    Screen: latePart(async () => (await import("./sections/staff-section.tsx")).StaffSection),
  },
  devices: {
    Icon: IconDeviceDesktop,
    isFor: isOwner,
    Screen: latePart(async () => (await import("./sections/devices-section.tsx")).DevicesSection),
  },
  settings: {
    Icon: IconSettings,
    isFor: isOwner,
    Screen: latePart(async () => (await import("./sections/settings-section.tsx")).SettingsSection),
  },
  keys: {
    Icon: IconKey,
    isFor: isOwner,
    Screen: latePart(
      async () => (await import("../../features/settings/components/keys-view.tsx")).KeysScreen,
    ),
  },
  webhooks: {
    Icon: IconWebhook,
    isFor: isOwner,
    Screen: latePart(
      async () =>
        (await import("../../features/settings/components/webhooks-view.tsx")).WebhooksScreen,
    ),
  },
  requests: {
    Icon: IconListSearch,
    isFor: isOwner,
    Screen: latePart<OfficeSectionProps>(
      async () =>
        (await import("../../features/request-log/components/request-log-screen.tsx"))
          .RequestLogScreen,
    ),
  },
  sandboxes: {
    Icon: IconFlask,
    isFor: isOwner,
    Screen: latePart(
      async () =>
        (await import("../../features/settings/components/sandboxes-view.tsx")).SandboxesScreen,
    ),
  },
  live: {
    Icon: IconRocket,
    isFor: isOwner,
    Screen: latePart(async () => (await import("./sections/live-section.tsx")).LiveSection),
  },
};

addOfficeWords(officeWordsIn);

export function OfficePage() {
  const { data: status } = useQuery(statusQuery());
  const { data: session } = useQuery(sessionQuery());
  const { section: wanted } = useParams({ strict: false });
  if (!status || !session) {
    return null;
  }
  const sections = sectionsFor(session);
  const [first] = sections;
  const section = sections.find((one) => one === wanted);
  if (!first && isOfficeOnly(session)) {
    return <NothingOpen />;
  }
  if (!first || session.training) {
    return <Navigate to="/" />;
  }
  if (!section) {
    return <Navigate to="/office/$section" params={{ section: first }} replace />;
  }
  return <OpenSection section={section} sections={sections} status={status} session={session} />;
}

interface OpenSectionProps {
  readonly section: OfficeSectionName;
  readonly sections: readonly OfficeSectionName[];
  readonly status: PosStatus;
  readonly session: PosSession;
}

function OpenSection({ section, sections, status, session }: OpenSectionProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ from: "/office/$section" });
  const { Screen } = SECTIONS[section];
  useTitle(t(`office.frame.section.${section}`));
  return (
    <div className={classes.office}>
      <OfficeNavigation sections={sections} status={status} session={session} />
      <div className={classes.section}>
        <Suspense
          fallback={
            <AwaitedScreen>
              <LoadingSection />
            </AwaitedScreen>
          }
        >
          <Screen
            key={section}
            session={session}
            status={status}
            search={search}
            onSearch={(changed) =>
              void navigate({
                to: "/office/$section",
                params: { section },
                search: changed,
                replace: true,
              })
            }
            onOpen={(other, otherSearch = {}) =>
              void navigate({
                to: "/office/$section",
                params: { section: other },
                search: otherSearch,
              })
            }
          />
        </Suspense>
      </div>
    </div>
  );
}

/**
 * Shown to a person without permission to sell or to see figures, for example after an owner has
 * changed the permissions.
 */
function NothingOpen() {
  const { t } = useTranslation();
  return (
    <div className={classes.loading}>
      <Notice tone="info">
        <strong>{t("app.noOffice.title")}.</strong> {t("app.noOffice.body")}
      </Notice>
    </div>
  );
}

function LoadingSection() {
  const { t } = useTranslation();
  return (
    <div
      className={classes.loading}
      role="status"
      aria-busy="true"
      aria-label={t("common.loading")}
    >
      <Skeleton height="3rem" radius="md" />
      <Skeleton height="12rem" radius="md" />
    </div>
  );
}

function sectionsFor(session: PosSession): OfficeSectionName[] {
  return OFFICE_SECTIONS.filter((name) => SECTIONS[name].isFor(session));
}

/** Returns whether a section has no further use: going live, in a shop that is live. */
function isOver(section: OfficeSectionName, { environment }: PosStatus): boolean {
  return section === "live" && environment === "live";
}

interface OfficeNavigationProps {
  readonly sections: readonly OfficeSectionName[];
  readonly status: PosStatus;
  readonly session: PosSession;
}

/**
 * Links to the sections: a column in a wide window, a list behind a button on a tablet or a phone.
 */
function OfficeNavigation({ sections, status, session }: OfficeNavigationProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const account = useContext(AccountContext);
  return (
    <>
      <button
        type="button"
        className={classes.opener}
        aria-expanded={isOpen}
        aria-controls="office-navigation"
        aria-label={t(isOpen ? "office.frame.close" : "office.frame.menu")}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <IconX aria-hidden="true" /> : <IconMenu2 aria-hidden="true" />}
      </button>
      <nav
        id="office-navigation"
        className={classes.navigation}
        data-open={isOpen}
        aria-label={t("office.frame.menu")}
        onKeyDown={({ key }) => {
          if (key === "Escape") setOpen(false);
        }}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest("a")) setOpen(false);
        }}
      >
        <div className={classes.shop}>
          <Mark />
          <bdi className="flex-1 truncate strong">{status.shopName}</bdi>
          {isOfficeOnly(session) ? null : (
            <button
              type="button"
              className={classes.search}
              aria-label={t("search.open")}
              aria-keyshortcuts="Control+K"
              onClick={() => searchRequests.notify()}
            >
              <IconSearch size="1.25rem" aria-hidden="true" />
            </button>
          )}
        </div>
        {isOfficeOnly(session) ? null : (
          <Link to="/" className={classes.back}>
            <IconArrowLeft size="1.125rem" aria-hidden="true" />
            {t("office.frame.back")}
          </Link>
        )}
        {GROUPS.map(({ name, sections: members }) => {
          const shown = sections.filter(
            (one) => members.some((member) => member === one) && !isOver(one, status),
          );
          return shown.length === 0 ? null : (
            <div key={name ?? "first"} className={classes.group} data-foot={name === "foot"}>
              {name === undefined || name === "foot" ? null : (
                <span className={classes.groupName}>{t(`office.frame.group.${name}`)}</span>
              )}
              {shown.map((section) => (
                <SectionLink key={section} section={section} />
              ))}
            </div>
          );
        })}
        <div className={classes.account}>{account}</div>
      </nav>
    </>
  );
}

function SectionLink({ section }: { readonly section: OfficeSectionName }) {
  const { t } = useTranslation();
  const { Icon } = SECTIONS[section];
  return (
    <Link
      to="/office/$section"
      params={{ section }}
      className={classes.place}
      activeOptions={{ includeSearch: false }}
    >
      <Icon size="1.125rem" stroke={1.75} aria-hidden="true" />
      <span>{t(`office.frame.section.${section}`)}</span>
      {section === "overview" ? <AttentionCount /> : null}
      {section === "live" ? <Progress /> : null}
    </Link>
  );
}

function AttentionCount() {
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  return count === 0 ? null : (
    <span className={classes.count} data-urgent={isUrgent}>
      {format.number(count)}
    </span>
  );
}

function Progress() {
  const format = useFormat();
  const { data } = useQuery({
    ...readinessQuery("live"),
    staleTime: PROGRESS_MS,
    refetchInterval: false,
  });
  if (!data) return null;
  const done = data.checks.filter(({ passed }) => passed).length;
  return (
    <bdi className="push-end faint size-caption tabular">
      {format.number(done)}/{format.number(data.checks.length)}
    </bdi>
  );
}

interface OfficeSection {
  readonly Icon: TablerIcon;
  /** Returns whether a person may open the section. The gateway checks each request separately. */
  readonly isFor: (session: PosSession) => boolean;
  readonly Screen: ComponentType<OfficeSectionProps>;
}

function isOwner({ staff }: PosSession): boolean {
  return staff.role === "owner";
}

function seesFigures({ rights }: PosSession): boolean {
  return rights.seeFigures;
}
