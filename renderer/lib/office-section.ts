import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

/** Sections of the back office by their name in the URL, in the order of the navigation. */
export const OFFICE_SECTIONS = [
  "overview",
  "sales",
  "reports",
  "bulk",
  "wallet",
  "prices",
  "catalog",
  "staff",
  "devices",
  "settings",
  "keys",
  "webhooks",
  "live",
] as const;
export type OfficeSectionName = (typeof OFFICE_SECTIONS)[number];

/** Query of the URL besides the section, such as days or a sale. Texts, because people may edit them. */
export type OfficeSearch = Readonly<Record<string, string>>;

export interface OfficeSectionProps {
  readonly session: PosSession;
  readonly status: PosStatus;
  readonly search: OfficeSearch;
  /** Replaces the query, so that the page can be reloaded and navigated back to. */
  readonly onSearch: (search: OfficeSearch) => void;
  /** Opens another section, at the target of a figure or link. */
  readonly onOpen: (section: OfficeSectionName, search?: OfficeSearch) => void;
}
