import { PROMOTED_FAMILIES } from "../../contract/pos/families.ts";
import type { Unit } from "../../lib/money.ts";
import type { CatalogPromo } from "./catalog-content.ts";
import type { CatalogSnapshot } from "./catalog-snapshot.ts";
import { sendUnitOf } from "./offer-quote.ts";

/** What nothing is known of: no offer of the brand is in the catalog. */
const UNKNOWN: Unit = { currency: "", currencyDivisor: 1 };

const remembered = new WeakMap<CatalogSnapshot, Map<string, Unit>>();

/**
 * The currency and divisor of a promotion's `minValue` and `maxValue`: those of what the brand's
 * offers deliver in its country, and of what an offer costs where nothing is delivered in money, as
 * with eSIMs. An empty currency where the catalog has no such offer.
 */
export function promoUnitOf(snapshot: CatalogSnapshot, promo: PromoPlace): Unit {
  const units = remembered.get(snapshot) ?? new Map<string, Unit>();
  remembered.set(snapshot, units);
  const key = JSON.stringify([promo.brand.brand, promo.country]);
  const unit = units.get(key) ?? readUnit(snapshot, promo);
  units.set(key, unit);
  return unit;
}

type PromoPlace = Pick<CatalogPromo, "brand" | "country">;

function readUnit(snapshot: CatalogSnapshot, { brand: { brand }, country }: PromoPlace): Unit {
  const place = country === "" ? {} : { country };
  for (const family of PROMOTED_FAMILIES) {
    const [found] = snapshot.list(family, { brand, ...place });
    if (!found) continue;
    const { currency, currencyDivisor } = sendUnitOf(found.offer);
    return { currency, currencyDivisor };
  }
  return UNKNOWN;
}
