import type { Role } from "../../../server/contract/pos/rights.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";

/** Views other than the figures, as named in the address. */
const REPORT_VIEWS = ["files", "schedules", "books", "trail"] as const;
export type ReportView = (typeof REPORT_VIEWS)[number];

/** Only the owner has scheduled reports. The owner's audit trail is on the staff page. */
export function viewsFor(role: Role): readonly ReportView[] {
  if (role === "owner") return ["files", "schedules", "books"];
  return role === "accountant" ? ["files", "books", "trail"] : ["files"];
}

export function viewOf(
  { view }: OfficeSearch,
  views: readonly ReportView[],
): ReportView | undefined {
  return views.find((known) => known === view);
}
