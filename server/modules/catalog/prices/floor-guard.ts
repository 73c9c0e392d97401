import type { BlockedOffers } from "../../../contract/pos/price-lists.ts";
import type { PriceChannel } from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { pause } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
import { type CatalogService, type Quote, quoteOffer, sumCost } from "../catalog/index.ts";
import { addLoss, findNewest } from "./price-list-store.ts";
import type { PriceReader, PricesInForce } from "./price-reader.ts";

const AT_A_TIME = 200;

/**
 * Finds offers sold below cost. Checks RANGE offers at both ends, and ignores differences that come
 * from rounding the cost.
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

interface PricedPurchase extends Scope {
  transactionId: string;
  offer: Offer;
  quote: Quote;
}

/**
 * Runs in the transaction that accepts the purchase.
 * @throws Problem PRICE_CHANGED; in `/v1` OFFER_DISABLED; for a RANGE offer VALUE_OUT_OF_RANGE
 */
export type RequireFloor = (
  tx: Tx,
  purchase: PricedPurchase,
  options: { at: number; channel?: PriceChannel; training?: boolean },
) => Promise<void>;

/**
 * Checks the price again, because the list, the rate or a budget may have changed after the price
 * was calculated (rules#price-floor). A sale at a loss uses up part of its rule's budget.
 */
export function createFloorGuard(reader: Pick<PriceReader, "read">): RequireFloor {
  return async (tx, purchase, { at, channel = "TILL", training = false }) => {
    const { accountId, environment, transactionId, offer, quote } = purchase;
    const scope = { accountId, environment };
    // Without a list there is no floor.
    if ((await findNewest(tx, scope)).version === 0) return;
    const { engine } = await reader.read(tx, scope, at);
    const paid = quote.priceBase + quote.priceFee;
    const { lowest, breakEven, rule } = engine.lowest(offer, channel, sumCost(quote));
    if (lowest.gt(paid)) throw underFloor(offer, channel, lowest.ceil().toFixed());
    if (training || !rule?.belowCost || breakEven.lte(paid)) return;
    const lost = breakEven.sub(paid).ceil().toNumber();
    await addLoss(tx, scope, { transactionId, ruleId: rule.rule.ruleId, lost });
  };
}

/**
 * Returns whether a sold offer may cost more than at its sale: its price must still be at or above
 * its floor, and must cover the cost. Reads only: a budget for sales at a loss is not used.
 * @param sold.cost new cost with fees, in minor units of the wallet's currency
 * @param sold.paid price less the discount, in minor units of the shop's currency
 */
export type MayCost = (
  tx: Tx,
  offer: Offer,
  sold: Scope & { cost: number; paid: number; channel: PriceChannel; at: number },
) => Promise<boolean>;

export function createCostCheck(reader: Pick<PriceReader, "read">): MayCost {
  return async (tx, offer, { accountId, environment, cost, paid, channel, at }) => {
    const { engine } = await reader.read(tx, { accountId, environment }, at);
    const { lowest, breakEven } = engine.lowest(offer, channel, cost);
    return breakEven.lte(paid) && (!engine.money.hasFloor || lowest.lte(paid));
  };
}

function underFloor({ offerId, priceType }: Offer, channel: PriceChannel, lowest: string): Problem {
  const rule = `must be ${lowest} or more`;
  if (priceType === "RANGE") {
    const message = "The value is too small for its price to cover the cost.";
    return new Problem("VALUE_OUT_OF_RANGE", message, { "value.value": `its price ${rule}` });
  }
  if (channel === "API") {
    const message = `The offer ${offerId} is not sold at its price any more.`;
    return new Problem("OFFER_DISABLED", message, { offerId: "has another price by now" });
  }
  const message = "The price is under its floor by now: ask for it again.";
  return new Problem("PRICE_CHANGED", message, { price: rule });
}

interface BlockedOffersDeps extends Pick<Base, "db" | "clock"> {
  catalog: CatalogService;
  prices: PriceReader;
}

/** Maximum number of listed offers: an owner does not fix more offers one by one. */
const MAX_NAMED = 100;

/** Lists blocked offers. Prices offers again only if the snapshot contains blocked offers. */
export async function listBlockedOffers(
  { db, clock, catalog, prices }: BlockedOffersDeps,
  { accountId, environment }: Scope,
): Promise<BlockedOffers> {
  const scope = { accountId, environment };
  const { snapshot, stated, choices } = await catalog.getReviewed(scope);
  const inForce = await prices.read(db, scope, clock.now());
  const { engine, terms } = inForce;
  const list = snapshot.blocked === 0 ? [] : stated.filter(isWanting).flatMap(nameOne);

  /** Finds offers that a shop without a price list, and so without a floor, sells at a loss. */
  async function findSoldBelowCost(): Promise<BlockedOffers["list"]> {
    const enabled = snapshot.offers.filter((offer) => offer.enabled);
    const ids = new Set(await findBelowCost(enabled, inForce));
    return enabled
      .filter(({ offerId }) => ids.has(offerId))
      .map(({ offerId, brandName, shortNotes: title }) => ({
        offerId,
        brandName,
        title,
        blocked: "UNDER_FLOOR",
        isSold: true,
      }));
  }

  function isWanting(offer: Offer): boolean {
    // The snapshot's offer also has the ids of its product.
    const isOff = choices.switches.isOff(snapshot.get(offer.offerId) ?? offer);
    return offer.enabled && !isOff && !snapshot.isSold(offer.offerId);
  }

  function nameOne(offer: Offer): BlockedOffers["list"] {
    const { blocked, rule, least } = engine.price(offer, "TILL");
    if (!blocked) return [];
    const { offerId, brandName, shortNotes: title } = offer;
    const by = { ...(rule && { rule: rule.rule }), ...(least !== undefined && { least }) };
    return [{ offerId, brandName, title, blocked, ...by }];
  }

  const sold = await findSoldBelowCost();
  return {
    total: list.length + sold.length,
    currency: terms.currency,
    currencyDivisor: terms.currencyDivisor,
    list: [...list, ...sold].slice(0, MAX_NAMED),
  };
}
