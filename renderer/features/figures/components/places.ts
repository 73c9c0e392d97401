import type { FigurePlace } from "./place-link.tsx";

/** Where the money of today is. */
export const MONEY_TODAY = {
  section: "figures",
  search: { view: "money", days: "today" },
} as const satisfies FigurePlace;

/** The lines that were sold today. */
export const SOLD_TODAY = {
  section: "figures",
  search: { view: "sold", days: "today" },
} as const satisfies FigurePlace;

/** The sales of today with their outcomes. */
export const SALES_TODAY: FigurePlace = { screen: "today", instead: SOLD_TODAY };

/** The open drawers, and the reports of those that were closed. */
export const SHIFTS: FigurePlace = { screen: "shift", instead: MONEY_TODAY };
