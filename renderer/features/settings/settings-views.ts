import type { OfficeSearch } from "../../lib/office-section.ts";

/** The pages of the settings, by the name in their address. */
export const SETTINGS_VIEWS = [
  "shop",
  "sales",
  "tenders",
  "people",
  "keys",
  "webhooks",
  "backups",
  "network",
  "about",
] as const;
export type SettingsView = (typeof SETTINGS_VIEWS)[number];

/** Which page the address names; the first for anything else. */
export function viewOf({ view }: OfficeSearch): SettingsView {
  return SETTINGS_VIEWS.find((known) => known === view) ?? "shop";
}

/** Screens with a place of their own, which the settings lead to. */
export type SettingsPlace = "/staff" | "/audit-trail" | "/printing";
