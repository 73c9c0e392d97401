import type { Offer, Price } from "../../contract/v1/offers.ts";
import { Exact } from "../../lib/money.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { EvenValues } from "./price-grid.ts";
import { type PricedByRule, withPrice } from "./priced-offer.ts";
import { keepAboveFloor, type RangeBlock, withLimits } from "./range-floor.ts";
import type { ShopMoney } from "./shop-money.ts";

type Outcome = Omit<PricedByRule, "rule">;

/** As many digits as every reader's double keeps. */
const FX_DIGITS = 12;

/**
 * The price block of a RANGE offer by a rule (rules#price-range): what one unit of it delivers, cut
 * down to twelve digits, and the values of the grid from the smallest that is safe on.
 */
export function priceRange(
  offer: Offer,
  compiled: CompiledRule,
  { money, suggested }: { money: ShopMoney; suggested: Price },
): Outcome {
  const { cost, price, productType } = offer;
  const raise = compiled.factor.mul(money.taxOf(productType).onPrice);
  const ofCost = compiled.rule.basis === "COST";
  const rate = ofCost
    ? money.costRateOf(cost).mul(new Exact(cost.feePct).div(100).add(1))
    : money.rateOf(price);
  const basis = new Exact((ofCost ? cost.fx : price.fx) ?? 0);
  const fx = basis.div(rate.mul(raise)).toSignificantDigits(FX_DIGITS, Exact.ROUND_DOWN);
  if (fx.lte(0)) return refuse(offer, suggested, "NO_GRID_PRICE");

  const fee = (ofCost ? money.costInShop(cost.fee, cost) : money.inShop(price.fee, price)).mul(
    raise,
  );
  const values = valuesOf(compiled, { price, fx, suggested, money });
  if (values.last < values.first) return refuse(offer, suggested, "NO_GRID_PRICE");
  const block: RangeBlock = {
    fx,
    fee: fee.div(values.step).ceil().mul(values.step).toNumber(),
    values,
  };
  return finish(
    offer,
    { suggested, block },
    keepAboveFloor(offer, block, { money, compiled }),
    money,
  );
}

/** The suggested block, from the smallest value on that is safe. */
export function keepRange(offer: Offer, suggested: Price, money: ShopMoney): Outcome {
  const { fx = 0, fee, min = 0, max = 0, increment: step = 1 } = suggested;
  const values = { first: min, step, last: max - ((max - min) % step) };
  const block = { fx: new Exact(fx), fee, values };
  const safe = keepAboveFloor(offer, block, { money, compiled: undefined });
  if (safe && safe.values.first === min && safe.values.last === values.last) {
    return { offer: withLimits(offer, suggested, safe.limits), blocked: undefined, steps: [] };
  }
  return finish(offer, { suggested, block }, safe, money);
}

/** The values that deliver what the suggested limits deliver, as far as they lie on the grid. */
function valuesOf(
  { grid, isRounded }: CompiledRule,
  of: { price: Price; fx: Exact; suggested: Price; money: ShopMoney },
): EvenValues {
  const { price, fx, suggested, money } = of;
  const same = new Exact(price.fx ?? 0).div(fx).mul(money.terms.currencyDivisor);
  const [min, max] = [price.min, price.max].map((limit) =>
    same.mul(limit ?? 0).div(price.currencyDivisor),
  ) as [Exact, Exact];
  if (isRounded) return grid.evenValues(min, max);
  const first = min.ceil().toNumber();
  const step = suggested.increment ?? 1;
  const last = max.floor().toNumber();
  return { first, step, last: last - (Math.max(0, last - first) % step) };
}

function finish(
  offer: Offer,
  { suggested, block }: { suggested: Price; block: RangeBlock },
  safe: ReturnType<typeof keepAboveFloor>,
  money: ShopMoney,
): Outcome {
  if (!safe) return refuse(offer, suggested, "UNDER_FLOOR");
  const { first, step, last } = safe.values;
  if (!Number.isSafeInteger(last)) return refuse(offer, suggested, "TOO_LARGE");
  const margin = money.marginOf(new Exact(1), safe.costPart, offer);
  const price: Price = {
    ...suggested,
    fx: safe.fx.toNumber(),
    fee: safe.fee,
    min: first,
    max: last,
    increment: step,
    margin,
  };
  const steps = [
    { step: "COST" as const, amount: safe.costPart.mul(first) },
    { step: "PRICE" as const, amount: new Exact(first + safe.fee) },
  ];
  const { first: min, last: max } = block.values;
  const isShortened = first > min || last < max;
  return {
    offer: withLimits(offer, price, safe.limits),
    blocked: undefined,
    steps,
    ...(isShortened && { full: { min, max } }),
  };
}

function refuse(offer: Offer, price: Price, blocked: PricedByRule["blocked"]): Outcome {
  return { offer: { ...withPrice(offer, price), enabled: false }, blocked, steps: [] };
}
