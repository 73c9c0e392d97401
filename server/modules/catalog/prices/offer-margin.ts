import type { Offer } from "../../../contract/v1/offers.ts";
import { Exact } from "../../../lib/money.ts";
import { quoteDelivered, quoteOffer } from "../catalog/index.ts";
import { fixedCost } from "./fixed-price.ts";
import type { ShopMoney } from "./shop-money.ts";

/**
 * The price that offers are compared by, in minor units of the shop's currency: of a RANGE offer that
 * of the least that it is stated to deliver.
 */
export function comparedPrice(stated: Offer, priced: Offer): number {
  const isFixed = priced.priceType === "FIXED";
  const least = "send" in stated ? (stated.send.min ?? 0) : 0;
  const quote = isFixed ? quoteOffer(priced, undefined) : quoteDelivered(priced, least);
  return quote.priceBase + quote.priceFee;
}

/** Percent that is earned on the cost without tax; of a RANGE offer without its roundings. */
export function offerMargin(stated: Offer, priced: Offer, money: ShopMoney): number {
  const { cost } = stated;
  if (stated.priceType === "FIXED") {
    const price = new Exact(comparedPrice(stated, priced));
    return money.marginOf(price, fixedCost(stated, money), stated);
  }
  const part = money
    .costRateOf(cost)
    .mul(priced.price.fx ?? 0)
    .mul(new Exact(cost.feePct).div(100).add(1))
    .div(cost.fx ?? 1);
  return money.marginOf(new Exact(1), part, stated);
}
