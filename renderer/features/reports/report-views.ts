import type { Role } from "../../../server/contract/pos/rights.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";

/** Pages besides the figures, by their names in the address. */
const REPORT_VIEWS = ["files", "schedules", "books", "trail"] as const;
export type ReportView = (typeof REPORT_VIEWS)[number];

/** The pages that a role may open. Scheduled reports are the owner's. The owner finds the trail at the staff. */
export function viewsFor(role: Role): readonly ReportView[] {
  if (role === "owner") return ["files", "schedules", "books"];
  return role === "accountant" ? ["files", "books", "trail"] : ["files"];
}

/** Returns the page in the address; undefined for the figures. */
export function viewOf(
  { view }: OfficeSearch,
  views: readonly ReportView[],
): ReportView | undefined {
  return views.find((known) => known === view);
}
