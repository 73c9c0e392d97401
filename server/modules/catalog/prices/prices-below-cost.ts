import type { Offer } from "../../../contract/v1/offers.ts";
import { pause } from "../../../lib/clock.ts";
import { quoteOffer } from "../catalog/index.ts";
import type { PricesInForce } from "./price-reader.ts";

/** How many are checked before other work gets a turn. */
const AT_A_TIME = 200;

/**
 * The offers whose customers would pay less than the wallet does, or than the price list allows: a fixed one at its price, one of any
 * amount at both ends of its range. A difference that only rounding to a minor unit of the cost makes
 * does not count.
 * @returns their ids
 */
export async function findBelowCost(
  offers: readonly Offer[],
  prices: PricesInForce,
): Promise<string[]> {
  const below: string[] = [];
  for (const [index, offer] of offers.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await pause();
    if (isSoldBelowCost(offer, prices)) below.push(offer.offerId);
  }
  return below;
}

function isSoldBelowCost(offer: Offer, prices: PricesInForce): boolean {
  const { price } = offer;
  if (offer.priceType === "FIXED") {
    const quote = quoteOffer(offer, undefined);
    return prices.isUnderFloor(quote.priceBase + quote.priceFee, { offer, quote });
  }
  const { min = 0, max = 0, increment = 1 } = price;
  const highest = max - ((max - min) % increment);
  const ends = min > 0 || highest === min ? [min, highest] : [highest];
  return ends.some((value) => {
    const quote = quoteOffer(offer, { type: "PRICE", value });
    const rounded = { ...quote, costBase: Math.max(0, quote.costBase - 1) };
    return prices.isUnderFloor(quote.priceBase + quote.priceFee, { offer, quote: rounded });
  });
}
