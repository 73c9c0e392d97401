import type { BlockedOffers } from "../../contract/pos/price-lists.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { CatalogService } from "../catalog/index.ts";
import type { PriceReader } from "./price-reader.ts";

interface Deps {
  db: Db;
  clock: Clock;
  catalog: CatalogService;
  prices: PriceReader;
}

/** How many of them are named: as many as an owner sees to one by one. */
const MOST_NAMED = 100;

/**
 * The offers that are not sold for want of a price. Only these are priced anew: the copy of the catalog
 * that is sold by knows which they are.
 */
export async function listBlockedOffers(
  { db, clock, catalog, prices }: Deps,
  { accountId, environment }: Scope,
): Promise<BlockedOffers> {
  const scope = { accountId, environment };
  const { snapshot, stated, choices } = await catalog.getReviewed(scope);
  const { engine, terms } = await prices.read(db, scope, clock.now());
  const list = snapshot.blocked === 0 ? [] : stated.filter(isWanting).flatMap(nameOne);

  function isWanting(offer: Offer): boolean {
    return offer.enabled && !choices.switches.isOff(offer) && !snapshot.isSold(offer.offerId);
  }

  function nameOne(offer: Offer): BlockedOffers["list"] {
    const { blocked, rule, least } = engine.price(offer, "TILL");
    if (!blocked) return [];
    const { offerId, brandName, shortNotes: title } = offer;
    const by = { ...(rule && { rule: rule.rule }), ...(least !== undefined && { least }) };
    return [{ offerId, brandName, title, blocked, ...by }];
  }

  return {
    total: list.length,
    currency: terms.currency,
    currencyDivisor: terms.currencyDivisor,
    list: list.slice(0, MOST_NAMED),
  };
}
