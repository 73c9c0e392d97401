import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { BrandDetail, RedemptionInstructions } from "../../../contract/v1/brands.ts";
import type { OfferOf, ProductFamily } from "../../../contract/v1/offers.ts";
import type { Promo, PromoDescription } from "../../../contract/v1/promos.ts";

/** A brand as the catalog states it, with the texts of its redemption instructions. */
export interface CatalogBrand extends BrandDetail {
  redemptionInstructionInfos: RedemptionInstructions[];
}

/**
 * A promotion as the catalog states it: its status follows from its dates, the currency of its values
 * from the offers that it is on.
 */
export interface CatalogPromo extends Omit<Promo, "status" | "currency" | "currencyDivisor"> {
  /** The languages it exists in besides English. */
  descriptions: PromoDescription[];
}

/** The offers of each family, in a section of its own. */
type OfferSections = {
  [Family in ProductFamily as (typeof FAMILY_FACTS)[Family]["path"]]: OfferOf<Family>[];
};

/** The shape `/v1` serves, as in a catalog file. */
export interface CatalogContent extends OfferSections {
  brands: CatalogBrand[];
  promos: CatalogPromo[];
}

export type Section = keyof CatalogContent;

/** Which section a family's offers are in. */
export function sectionOf(family: ProductFamily): Section {
  return FAMILY_FACTS[family].path;
}

/** The sections of a catalog, in the order of a catalog file. */
export const SECTIONS: readonly Section[] = ["brands", ...FAMILIES.map(sectionOf), "promos"];

/** A catalog with nothing in it. */
export function emptyContent(): CatalogContent {
  return Object.fromEntries(SECTIONS.map((section): [string, never[]] => [section, []])) as {
    [Name in Section]: never[];
  };
}
