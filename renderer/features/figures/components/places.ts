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

/** Purchases of any day with their outcomes. */
export const PURCHASES = {
  section: "sales",
  search: { view: "find" },
} as const satisfies FigurePlace;

/** What is still being sent, the oldest first. */
export const SENDING = {
  section: "sales",
  search: { view: "waiting" },
} as const satisfies FigurePlace;

/** The open drawers, and the reports of those that were closed. */
export const SHIFTS: FigurePlace = { screen: "shift", instead: MONEY_TODAY };
