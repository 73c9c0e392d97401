import type { OfficeSearch } from "../../lib/office-section.ts";

/** Pages, as named in the address. */
const SETTINGS_VIEWS = [
  "shop",
  "sales",
  "tenders",
  "receipts",
  "mail",
  "backups",
  "network",
  "program",
  "about",
] as const;
export type SettingsView = (typeof SETTINGS_VIEWS)[number];

export function shownViews(): readonly SettingsView[] {
  const isDesktop = globalThis.window.tillgate !== undefined;
  return SETTINGS_VIEWS.filter((view) => view !== "program" || isDesktop);
}

export function viewOf({ view }: OfficeSearch): SettingsView {
  return shownViews().find((known) => known === view) ?? "shop";
}

export type SettingsPlace = "/printing";
