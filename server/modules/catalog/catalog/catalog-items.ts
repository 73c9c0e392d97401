import { OFFER_SCHEMAS, type Offer } from "../../../contract/v1/offers.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { type CatalogBrand, type CatalogPromo, sectionOf } from "./catalog-content.ts";
import { CATALOG_BRAND, CATALOG_PROMO, ORDERED } from "./catalog-schema.ts";
import type { BrandText, OfferText, PromoText } from "./catalog-store.ts";

/** One brand as stated, its fields in the contract's order. @throws JsonMisfit */
export function readBrand({ brand, text }: BrandText): CatalogBrand {
  const where = { table: "brands", column: "detail_json", row: brand } as const;
  return ORDERED.brands(readColumn(CATALOG_BRAND, text, where));
}

/** One promotion as stated, its fields in the contract's order. @throws JsonMisfit */
export function readPromo({ promoId, text }: PromoText): CatalogPromo {
  const where = { table: "promos", column: "promo_json", row: promoId } as const;
  return ORDERED.promos(readColumn(CATALOG_PROMO, text, where));
}

/** One offer as stated, its fields in the contract's order. @throws JsonMisfit */
export function readOffer({ offerId, productType, text }: OfferText): Offer {
  const where = { table: "offers", column: "offer_json", row: offerId } as const;
  return ORDERED[sectionOf(productType)](readColumn(OFFER_SCHEMAS[productType].offer, text, where));
}
