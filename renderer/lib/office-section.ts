import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

/** The sections of the back office, by the name in their address. */
export const OFFICE_SECTIONS = [
  "overview",
  "figures",
  "sales",
  "wallet",
  "prices",
  "catalog",
  "bulk",
  "reports",
  "alerts",
  "devices",
  "settings",
  "live",
] as const;
export type OfficeSectionName = (typeof OFFICE_SECTIONS)[number];

/** What the address says beside the section: which days, which sale. Texts, as people may edit them. */
export type OfficeSearch = Readonly<Record<string, string>>;

/** What every section of the back office is given. */
export interface OfficeSectionProps {
  readonly session: PosSession;
  readonly status: PosStatus;
  readonly search: OfficeSearch;
  /** Replaces what the address says beside the section: it can be reloaded, and gone back to. */
  readonly onSearch: (search: OfficeSearch) => void;
  /** Opens another section, at what a figure or a link stands for. */
  readonly onOpen: (section: OfficeSectionName, search?: OfficeSearch) => void;
}
