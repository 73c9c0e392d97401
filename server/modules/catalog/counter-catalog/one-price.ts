import type { Offer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import { type CatalogSnapshot, type Quote, quoteOffer } from "../catalog/index.ts";
import { CounterCatalog } from "./counter-catalog.ts";
import { COUNTER_FAMILIES } from "./families/index.ts";

export interface PricedOffer {
  offer: Offer;
  /** Present for a RANGE offer. */
  value?: PurchaseValue;
  quote: Quote;
}

/**
 * Quotes an offer. If a FIXED offer of the same kind delivers or costs the amount typed for a RANGE
 * offer, the FIXED offer is sold, so that an amount has one price (docs/decisions/0046).
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
