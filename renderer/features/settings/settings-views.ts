import type { OfficeSearch } from "../../lib/office-section.ts";

/** The pages of the settings, by their names in the address. */
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

/** Returns the available pages: a browser has no program to configure. */
export function shownViews(): readonly SettingsView[] {
  const isDesktop = globalThis.window.tillgate !== undefined;
  return SETTINGS_VIEWS.filter((view) => view !== "program" || isDesktop);
}

/** Returns the page of the address; the first one for an unknown name. */
export function viewOf({ view }: OfficeSearch): SettingsView {
  return shownViews().find((known) => known === view) ?? "shop";
}

/** Screens outside the settings that the settings link to. */
export type SettingsPlace = "/printing";
