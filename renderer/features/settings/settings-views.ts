import type { OfficeSearch } from "../../lib/office-section.ts";

/** The pages of the settings, by the name in their address. */
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

/** Those that there are here: a browser has no program to set. */
export function shownViews(): readonly SettingsView[] {
  const isDesktop = globalThis.window.tillgate !== undefined;
  return SETTINGS_VIEWS.filter((view) => view !== "program" || isDesktop);
}

/** Which page the address names; the first for anything else. */
export function viewOf({ view }: OfficeSearch): SettingsView {
  return shownViews().find((known) => known === view) ?? "shop";
}

/** Screens with a place of their own, which the settings lead to. */
export type SettingsPlace = "/printing";
