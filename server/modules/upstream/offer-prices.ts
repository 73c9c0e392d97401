import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { Exact, toMajor, toMinor } from "../../lib/money.ts";

/** As much of an offer as its prices need. */
const Priced = Type.Object({
  cost: Type.Object({
    currency: Type.String(),
    currencyDivisor: Type.Integer({ minimum: 1, maximum: 1000 }),
    fixed: Type.Optional(Type.Integer({ minimum: 0 })),
    fx: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    min: Type.Optional(Type.Integer({ minimum: 0 })),
    max: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  price: Type.Object({
    currency: Type.String(),
    fixed: Type.Optional(Type.Integer({ minimum: 0 })),
    margin: Type.Number({ minimum: -99 }),
    suggestedFixed: Type.Number(),
  }),
});

const FX_DIGITS = 12;

/**
 * An upstream's offer as an offer of ours. Its cost is what we pay. What it suggests as a price is
 * our suggestion; where its shop has another currency than its wallet, the price is worked out from
 * the cost and the margin it states, because our catalog states both in the wallet's currency. An
 * offer of another shape stays as it is, for the catalog to refuse.
 */
export function toOurOffer(offer: unknown, walletCurrency: string): unknown {
  if (!Value.Check(Priced, offer)) return offer;
  const { cost, price } = offer;
  if (price.currency !== walletCurrency && cost.currency === walletCurrency) {
    return { ...offer, price: priceFromCost(offer) };
  }
  const { fixed, suggestedFixed } = price;
  if (fixed === undefined || suggestedFixed <= 0) return offer;
  return { ...offer, price: { ...price, fixed: suggestedFixed } };
}

function priceFromCost({ cost, price }: Static<typeof Priced>) {
  const { currency, currencyDivisor, fixed, fx, min, max } = cost;
  const factor = new Exact(price.margin).div(100).add(1);
  const raised = (amount: number) =>
    toMinor(toMajor(amount, currencyDivisor).mul(factor), currencyDivisor, "up");
  const ours = fx && new Exact(fx).div(factor).toSignificantDigits(FX_DIGITS).toNumber();
  return {
    currency,
    currencyDivisor,
    margin: price.margin,
    fee: 0,
    suggestedFixed: fixed === undefined ? 0 : raised(fixed),
    suggestedFx: ours ?? 0,
    ...(fixed !== undefined && { fixed: raised(fixed) }),
    ...(ours !== undefined && { fx: ours, increment: 1 }),
    ...(min !== undefined && { min: raised(min) }),
    ...(max !== undefined && { max: raised(max) }),
  };
}
