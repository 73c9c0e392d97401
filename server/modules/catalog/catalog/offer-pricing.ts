import type { PriceChannel } from "../../../contract/pos/prices.ts";
import type { Offer, Price } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { Exact, type PricingTerms, toMajor, toMinor } from "../../../lib/money.ts";

/** The prices of an environment from one instant until another. */
export interface Pricing {
  /** The same twice: so is every price. */
  readonly stamp: string;
  /** From when on, and until when, in milliseconds; infinite where there is no such border. */
  readonly from: number;
  readonly until: number;
  readonly terms: PricingTerms;
  /** Whether the till and the API may have different prices. */
  readonly splitsChannels: boolean;
  /** The offer with its price block in the shop's currency; one without a price is disabled. */
  price(offer: Offer, channel: PriceChannel): Offer;
}

/** Where prices are asked for: those of the till, unless it says otherwise. */
export interface PricedScope extends Scope {
  channel?: PriceChannel;
}

/** Exchange rates are served as JSON numbers: twelve digits survive every reader's double. */
const FX_DIGITS = 12;

/**
 * The offer with its price block in the shop's currency (rules#money-exchange-rate). The rate is
 * applied to the suggested price, its limits, its increment and its `fx`, exactly; prices are rounded
 * up. The arithmetic of a purchase uses the block as served, so an integrator who recomputes it gets
 * the same.
 */
export function priceOffer<Priced extends Offer>(offer: Priced, terms: PricingTerms): Priced {
  const { price } = offer;
  if (price.currency === terms.currency) return offer;
  const rate = new Exact(terms.rate);

  function convert(amount_minor: number): number {
    return toMinor(
      toMajor(amount_minor, price.currencyDivisor).mul(rate),
      terms.currencyDivisor,
      "up",
    );
  }
  function convertFx(fx: number): number {
    return new Exact(fx).div(rate).toSignificantDigits(FX_DIGITS).toNumber();
  }

  const converted: Price = {
    currency: terms.currency,
    currencyDivisor: terms.currencyDivisor,
    margin: price.margin,
    suggestedFixed: convert(price.suggestedFixed),
    suggestedFx: convertFx(price.suggestedFx),
    fee: convert(price.fee),
    ...(price.fixed !== undefined && { fixed: convert(price.fixed) }),
    ...(price.fx !== undefined && { fx: convertFx(price.fx) }),
    ...(price.min !== undefined && { min: convert(price.min) }),
    ...(price.max !== undefined && { max: convert(price.max) }),
    ...(price.increment !== undefined && { increment: convert(price.increment) }),
  };
  return { ...offer, price: converted };
}
