import type { Offer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import { type CatalogSnapshot, type Quote, quoteOffer } from "../catalog/index.ts";
import { CounterCatalog } from "./counter-catalog.ts";
import { COUNTER_FAMILIES } from "./families/index.ts";

/** What is sold, and at which amounts. */
export interface PricedOffer {
  offer: Offer;
  /** Of a RANGE offer. */
  value?: PurchaseValue;
  quote: Quote;
}

/**
 * What the counter sells for a chosen offer: of a free amount that a FIXED offer of the same kind has
 * too, by what is delivered or by what is paid, that one. So an amount has one price, however it was
 * chosen (docs/decisions/0046). Tile, quote, check and sale ask here.
 * @throws Problem VALUE_REQUIRED, VALUE_NOT_ALLOWED, VALUE_OUT_OF_RANGE
 */
export function priceAtCounter(
  snapshot: CatalogSnapshot,
  offer: Offer,
  value: PurchaseValue | undefined,
): PricedOffer {
  const quote = quoteOffer(offer, value);
  const fixed = offer.priceType === "RANGE" ? findFixed(snapshot, offer, quote) : undefined;
  return fixed
    ? { offer: fixed, quote: quoteOffer(fixed, undefined) }
    : { offer, ...(value && { value }), quote };
}

function findFixed(snapshot: CatalogSnapshot, range: Offer, quote: Quote): Offer | undefined {
  const alike = CounterCatalog.of(snapshot)
    .listOfBrand(range.productType, range.brand)
    .filter((offer) => offer.priceType === "FIXED" && isOfKind(offer, range));
  const paid = quote.priceBase + quote.priceFee;
  return (
    alike.find((offer) => "send" in offer && offer.send.fixed === quote.send) ??
    alike.find(({ price }) => (price.fixed ?? 0) + price.fee === paid)
  );
}

function isOfKind(offer: Offer, range: Offer): boolean {
  const { kindOf } = COUNTER_FAMILIES[range.productType];
  const kind = kindOf(offer);
  return kind !== null && kind === kindOf(range);
}
