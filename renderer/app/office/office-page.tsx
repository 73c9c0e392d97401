import { Skeleton } from "@mantine/core";
import {
  IconBell,
  IconBellRinging,
  IconChartBar,
  IconDeviceTablet,
  IconFileSpreadsheet,
  IconFileText,
  IconLayoutDashboard,
  IconPackages,
  IconReceipt,
  IconSettings,
  IconTags,
  IconToggleRight,
  IconWallet,
  type TablerIcon,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../server/contract/pos/staff.ts";
import { Notice } from "../../components/notice.tsx";
import { alertsQuery, countAlerts, hasAlerts } from "../../lib/alerts-query.ts";
import { isOfficeOnly } from "../../lib/has-office.ts";
import { addOfficeWords } from "../../lib/i18n.ts";
import {
  OFFICE_SECTIONS,
  type OfficeSectionName,
  type OfficeSectionProps,
} from "../../lib/office-section.ts";
import { sessionQuery, statusQuery } from "../../lib/pos-queries.ts";
import { useFormat } from "../../lib/use-format.ts";
import { useTitle } from "../../lib/use-title.ts";
import { officeWordsIn } from "../../locales/office-words.ts";
import officeMenuClasses from "./office-menu.module.css";
import classes from "./office-page.module.css";

/** The sections of the back office, in the order of their menu. */
const SECTIONS: Readonly<Record<OfficeSectionName, OfficeSection>> = {
  overview: {
    Icon: IconLayoutDashboard,
    isFor: seesFigures,
    Screen: lazy(async () => ({
      default: (await import("./sections/overview-section.tsx")).OverviewSection,
    })),
  },
  figures: {
    Icon: IconChartBar,
    isFor: seesFigures,
    Screen: lazy(async () => ({
      default: (await import("./sections/figures-section.tsx")).FiguresSection,
    })),
  },
  sales: {
    Icon: IconReceipt,
    isFor: ({ rights }) => rights.seeExpectedCash || rights.changeCatalog || rights.settleCases,
    Screen: lazy(async () => ({
      default: (await import("./sections/sales-section.tsx")).SalesSection,
    })),
  },
  wallet: {
    Icon: IconWallet,
    isFor: seesFigures,
    Screen: lazy(async () => ({
      default: (await import("./sections/wallet-section.tsx")).WalletSection,
    })),
  },
  prices: {
    Icon: IconTags,
    isFor: ({ rights }) => rights.changePrices,
    Screen: lazy(async () => ({
      default: (await import("./sections/prices-section.tsx")).PricesSection,
    })),
  },
  catalog: {
    Icon: IconPackages,
    isFor: ({ rights }) => rights.changeCatalog,
    Screen: lazy(async () => ({
      default: (await import("./sections/catalog-section.tsx")).CatalogSection,
    })),
  },
  bulk: {
    Icon: IconFileSpreadsheet,
    isFor: isOwner,
    Screen: lazy(async () => ({
      default: (await import("./sections/bulk-section.tsx")).BulkSection,
    })),
  },
  reports: {
    Icon: IconFileText,
    isFor: seesFigures,
    Screen: lazy(async () => ({
      default: (await import("./sections/reports-section.tsx")).ReportsSection,
    })),
  },
  alerts: {
    Icon: IconBell,
    isFor: hasAlerts,
    Screen: lazy(async () => ({
      default: (await import("./sections/alerts-section.tsx")).AlertsSection,
    })),
  },
  devices: {
    Icon: IconDeviceTablet,
    isFor: isOwner,
    Screen: lazy(async () => ({
      default: (await import("./sections/devices-section.tsx")).DevicesSection,
    })),
  },
  settings: {
    Icon: IconSettings,
    isFor: isOwner,
    Screen: lazy(async () => ({
      default: (await import("./sections/settings-section.tsx")).SettingsSection,
    })),
  },
  live: {
    Icon: IconToggleRight,
    isFor: isOwner,
    Screen: lazy(async () => ({
      default: (await import("./sections/live-section.tsx")).LiveSection,
    })),
  },
};

addOfficeWords(officeWordsIn);

/** The back office: a menu of its sections, and the one that is open. Loaded when it is opened. */
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
      <OfficeMenu sections={sections} />
      <div className={classes.section}>
        <Suspense fallback={<LoadingSection />}>
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

/** A person who sells nothing, and from whom the right to see figures was taken. */
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

/** The sections that a person may open, in the order of the menu. */
function sectionsFor(session: PosSession): OfficeSectionName[] {
  return OFFICE_SECTIONS.filter((name) => SECTIONS[name].isFor(session));
}

interface OfficeMenuProps {
  readonly sections: readonly OfficeSectionName[];
}

/** The sections of the back office: beside them on a laptop, above them on a tablet and a phone. */
function OfficeMenu({ sections }: OfficeMenuProps) {
  const { t } = useTranslation();
  return (
    <nav className={officeMenuClasses.menu} data-strip aria-label={t("office.frame.menu")}>
      {sections.map((section) => {
        const { Icon } = SECTIONS[section];
        return (
          <Link
            key={section}
            to="/office/$section"
            params={{ section }}
            className={officeMenuClasses.place}
            activeOptions={{ includeSearch: false }}
          >
            <Icon size="1.25rem" stroke={1.75} aria-hidden="true" />
            <span>{t(`office.frame.section.${section}`)}</span>
            {section === "alerts" ? <AlertCount /> : null}
          </Link>
        );
      })}
    </nav>
  );
}

/** How many alerts wait for the person, beside the name of their section. */
function AlertCount() {
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  return count === 0 ? null : (
    <span className={officeMenuClasses.count} data-urgent={isUrgent}>
      {isUrgent ? <IconBellRinging size="1rem" stroke={2} aria-hidden="true" /> : null}
      {format.number(count)}
    </span>
  );
}

interface OfficeSection {
  readonly Icon: TablerIcon;
  /** Whether a person may open it. The gateway decides for itself what it answers. */
  readonly isFor: (session: PosSession) => boolean;
  /** Loaded when it is opened. */
  readonly Screen: LazyExoticComponent<ComponentType<OfficeSectionProps>>;
}

function isOwner({ staff }: PosSession): boolean {
  return staff.role === "owner";
}

function seesFigures({ rights }: PosSession): boolean {
  return rights.seeFigures;
}
