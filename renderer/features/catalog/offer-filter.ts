import { FAMILIES } from "../../../server/contract/pos/families.ts";
import { OFFER_STATES, type SwitchTarget } from "../../../server/contract/pos/office-catalog.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";
import type { CatalogFilter } from "./api/catalog-queries.ts";

/** Reads the filter from the address, and drops unknown values. */
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
 * Returns the target of a switch for exactly the listed offers, so that nobody hides unseen offers.
 * Returns undefined without a filter, and with a text or state filter, which a switch cannot
 * express.
 */
export function targetOf({ text, state, ...target }: CatalogFilter): SwitchTarget | undefined {
  if (text !== undefined || state !== undefined) return undefined;
  return Object.keys(target).length > 0 ? target : undefined;
}
