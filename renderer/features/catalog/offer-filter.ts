import { FAMILIES } from "../../../server/contract/pos/families.ts";
import { OFFER_STATES, type SwitchTarget } from "../../../server/contract/pos/office-catalog.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";
import type { CatalogFilter } from "./api/catalog-queries.ts";

/** What the address asks for; what makes no sense there is left out. */
export function filterOf({
  family,
  country,
  brand,
  subType,
  text,
  state,
}: OfficeSearch): CatalogFilter {
  const knownFamily = FAMILIES.find((one) => one === family);
  const knownState = OFFER_STATES.find((one) => one === state);
  return {
    ...(knownFamily && { family: knownFamily }),
    ...(country !== undefined && /^[A-Z]{2}$/.test(country) && { country }),
    ...(brand && { brand }),
    ...(subType && { subType }),
    ...(text && { text }),
    ...(knownState && { state: knownState }),
  };
}

/**
 * What can be switched together: all that is listed, so that nobody hides what is not seen. Undefined
 * where nothing is named, or where words or a state narrow the list further.
 */
export function targetOf({ text, state, ...target }: CatalogFilter): SwitchTarget | undefined {
  if (text !== undefined || state !== undefined) return undefined;
  return Object.keys(target).length > 0 ? target : undefined;
}
