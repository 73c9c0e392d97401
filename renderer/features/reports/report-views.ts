import type { OfficeSearch } from "../../lib/office-section.ts";

/** The parts of the section, by the name in their address. */
const REPORT_VIEWS = ["files", "schedules", "books", "mail"] as const;
export type ReportView = (typeof REPORT_VIEWS)[number];

/** The parts that a person may open: what is sent by itself, and how, is the owner's. */
export function viewsFor(isOwner: boolean): readonly ReportView[] {
  return isOwner ? REPORT_VIEWS : ["files"];
}

/** Which part the address names; the first for anything else. */
export function viewOf({ view }: OfficeSearch, views: readonly ReportView[]): ReportView {
  return views.find((known) => known === view) ?? "files";
}
