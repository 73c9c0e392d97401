import {
  IconBell,
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
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { PosSession } from "../../../server/contract/pos/staff.ts";
import { hasAlerts } from "../../lib/alerts-query.ts";
import type { OfficeSectionName, OfficeSectionProps } from "../../lib/office-section.ts";

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

/** The sections of the back office, in the order of their menu. */
export const SECTIONS: Readonly<Record<OfficeSectionName, OfficeSection>> = {
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
