import { FAMILIES, FAMILY_FACTS } from "./pos/families.ts";
import type { BrandDetail, RedemptionInstructions } from "./v1/brands.ts";
import type { OfferOf, ProductFamily } from "./v1/offers.ts";
import type { Promo, PromoDescription } from "./v1/promos.ts";

export interface CatalogBrand extends BrandDetail {
  redemptionInstructionInfos: RedemptionInstructions[];
}

/** Stored promotion. Its status and currency are computed. */
export interface CatalogPromo extends Omit<Promo, "status" | "currency" | "currencyDivisor"> {
  /** Descriptions in languages other than English. */
  descriptions: PromoDescription[];
}

type OfferSections = {
  [Family in ProductFamily as (typeof FAMILY_FACTS)[Family]["path"]]: OfferOf<Family>[];
};

/** A catalog in the format of `/v1` and of catalog files. */
export interface CatalogContent extends OfferSections {
  brands: CatalogBrand[];
  promos: CatalogPromo[];
}

export type Section = keyof CatalogContent;

export function getSection(family: ProductFamily): Section {
  return FAMILY_FACTS[family].path;
}

export const SECTIONS: readonly Section[] = ["brands", ...FAMILIES.map(getSection), "promos"];

export function emptyContent(): CatalogContent {
  return Object.fromEntries(SECTIONS.map((section): [string, never[]] => [section, []])) as {
    [Name in Section]: never[];
  };
}
