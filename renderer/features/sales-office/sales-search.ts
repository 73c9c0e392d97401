import {
  OFFICE_STATUSES,
  type OfficeStatus,
} from "../../../server/contract/pos/transaction-office.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";

const VIEWS = ["find", "waiting", "cases", "brands", "reports", "owed"] as const;
export type SalesView = (typeof VIEWS)[number];

/** Permissions that determine the visible views. The gateway also checks them. */
interface Viewer {
  readonly seeExpectedCash: boolean;
  readonly seeFigures: boolean;
  readonly changeCatalog: boolean;
  readonly settleCases: boolean;
}

const NEEDS: Readonly<Record<SalesView, keyof Viewer>> = {
  find: "seeExpectedCash",
  waiting: "seeExpectedCash",
  cases: "settleCases",
  brands: "changeCatalog",
  reports: "seeFigures",
  owed: "seeFigures",
};

export function viewsFor(rights: Viewer): SalesView[] {
  return VIEWS.filter((view) => rights[NEEDS[view]]);
}

export interface SalesFilter {
  readonly typed?: string | undefined;
  readonly status?: OfficeStatus | undefined;
  readonly firstDay?: string | undefined;
  readonly lastDay?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the days in ascending order. A single day is the first and the last day. */
export function daysOf({ from, to }: OfficeSearch): Pick<SalesFilter, "firstDay" | "lastDay"> {
  const [begin, end] = [from, to].map((day) => (DAY.test(day ?? "") ? day : undefined));
  const [first, last] = [begin ?? end, end ?? begin];
  const isTurned = first !== undefined && last !== undefined && last < first;
  return isTurned ? { firstDay: last, lastDay: first } : { firstDay: first, lastDay: last };
}

export function filterOf(search: OfficeSearch): SalesFilter {
  const typed = search.typed?.trim();
  return {
    typed: typed === "" ? undefined : typed,
    status: OFFICE_STATUSES.find((one) => one === search.status),
    ...daysOf(search),
  };
}
