import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

export const OFFICE_SECTIONS = [
  "overview",
  "sales",
  "reports",
  "bulk",
  "wallet",
  "prices",
  "providers",
  "catalog",
  "staff",
  "devices",
  "settings",
  "keys",
  "webhooks",
  "requests",
  "sandboxes",
  "live",
] as const;
export type OfficeSectionName = (typeof OFFICE_SECTIONS)[number];

/** Query of the URL, such as days or a sale. Values are text, because people may edit the URL. */
export type OfficeSearch = Readonly<Record<string, string>>;

export interface OfficeSectionProps {
  readonly session: PosSession;
  readonly status: PosStatus;
  readonly search: OfficeSearch;
  /** Replaces the query of the URL, so that a reload or the back button shows the same content. */
  readonly onSearch: (search: OfficeSearch) => void;
  readonly onOpen: (section: OfficeSectionName, search?: OfficeSearch) => void;
}

/** Sets a field of the URL's query. An empty value removes the field. */
export function withField(search: OfficeSearch, name: string, value: string): OfficeSearch {
  const { [name]: _, ...rest } = search;
  return value === "" ? rest : { ...rest, [name]: value };
}
