import type { PriceChannel } from "../../contract/pos/prices.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import { Exact } from "../../lib/money.ts";
import { costOf, priceOffer, type Quote, quoteDelivered } from "../catalog/index.ts";
import type { PriceEngine } from "./price-engine.ts";
import type { PricedByRule, PriceStep } from "./priced-offer.ts";

interface At {
  engine: PriceEngine;
  channel: PriceChannel;
  /** The amounts of the sale that is asked about. */
  quote: Quote;
}

/**
 * The steps of a price at an amount. A FIXED offer has those that its price was made by. A RANGE offer
 * is priced by what one unit of it delivers, so that its steps are those of that rule at the amount: the
 * price that is chosen differs from the last of them by what is rounded (rules#price-range).
 */
export function stepsOf(stated: Offer, priced: PricedByRule, at: At): PriceStep[] {
  const { engine, quote, channel } = at;
  const { money } = engine;
  if (stated.priceType === "FIXED" && priced.steps.length > 0) return priced.steps;
  const cost = money.costInShop(costOf(quote), stated.cost);
  const { lowest } = engine.lowest(stated, channel, costOf(quote));
  const ends: PriceStep[] = [
    ...(money.hasFloor ? [{ step: "FLOOR" as const, amount: lowest }] : []),
    ...(priced.blocked
      ? []
      : [{ step: "PRICE" as const, amount: new Exact(quote.priceBase + quote.priceFee) }]),
  ];
  const first: PriceStep = { step: "COST", amount: cost };
  if (!priced.rule) return [first, { step: "BASIS", amount: suggestedAt(stated, at) }, ...ends];
  const { factor, rule } = priced.rule;
  const basis = rule.basis === "COST" ? cost : suggestedAt(stated, at);
  const raised = basis.mul(factor);
  const taxed = raised.mul(money.taxOf(stated.productType).onPrice);
  return [
    first,
    { step: "BASIS", amount: basis },
    { step: "RULE", amount: raised },
    { step: "TAX", amount: taxed },
    ...ends,
  ];
}

/** What the supplier suggests for what the amount delivers. */
function suggestedAt(stated: Offer, { engine, quote }: At): Exact {
  const { priceBase, priceFee } = quoteDelivered(
    priceOffer(stated, engine.money.terms),
    quote.send,
  );
  return new Exact(priceBase + priceFee);
}
