import type { BlockedOffers } from "../../../contract/pos/price-lists.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { CatalogService } from "../catalog/index.ts";
import { findBelowCost } from "./floor-guard.ts";
import type { PriceReader } from "./price-reader.ts";

interface BlockedOffersDeps {
  db: Db;
  clock: Clock;
  catalog: CatalogService;
  prices: PriceReader;
}

/** How many of them are named: as many as an owner sees to one by one. */
const MOST_NAMED = 100;

/**
 * The offers that are not sold because no price covers their floor, and those that are sold below cost. Only the
 * former are priced again: the copy of the catalog that is sold by knows them.
 */
export async function listBlockedOffers(
  { db, clock, catalog, prices }: BlockedOffersDeps,
  { accountId, environment }: Scope,
): Promise<BlockedOffers> {
  const scope = { accountId, environment };
  const { snapshot, stated, choices } = await catalog.getReviewed(scope);
  const inForce = await prices.read(db, scope, clock.now());
  const { engine, terms } = inForce;
  const list = snapshot.blocked === 0 ? [] : stated.filter(isWanting).flatMap(nameOne);

  /** Without a price list of the shop's own there is no floor: these are sold, and lose money. */
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
    return offer.enabled && !choices.switches.isOff(offer) && !snapshot.isSold(offer.offerId);
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
    list: [...list, ...sold].slice(0, MOST_NAMED),
  };
}
