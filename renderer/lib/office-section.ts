import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

/** The sections of the back office, by the name in their address, in the order of their navigation. */
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

/** The part of an address beside the section: days, a sale, a view. Texts, since people may edit them. */
export type OfficeSearch = Readonly<Record<string, string>>;

/** What every section of the back office is given. */
export interface OfficeSectionProps {
  readonly session: PosSession;
  readonly status: PosStatus;
  readonly search: OfficeSearch;
  /** Replaces the part of the address beside the section. It survives a reload. */
  readonly onSearch: (search: OfficeSearch) => void;
  /** Opens another section, at what a figure or a link stands for. */
  readonly onOpen: (section: OfficeSectionName, search?: OfficeSearch) => void;
}
