import type {
  PriceChange,
  PricePreview,
  PricePreviewInput,
  ShortenedOffer,
} from "../../../contract/pos/price-lists.ts";
import type { LivePriceChanges } from "../../../contract/pos/till-environment.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { pause, toTimestamp } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import type { Base } from "../../module.ts";
import { type CatalogService, quoteDelivered, quoteOffer } from "../catalog/index.ts";
import { fixedCost, type PricedByRule } from "./fixed-price.ts";
import { PriceEngine } from "./price-engine.ts";
import { requireValidList, toStored } from "./price-list-service.ts";
import { EMPTY_LIST, findList, findNewest } from "./price-list-store.ts";
import type { PriceReader } from "./price-reader.ts";
import type { ShopMoney } from "./shop-money.ts";

interface PricePreviewDeps extends Pick<Base, "db" | "clock"> {
  catalog: CatalogService;
  prices: Pick<PriceReader, "read">;
}

const MAX_CHANGES_NAMED = 10;
const BLOCKED_NAMED = 100;
const AT_A_TIME = 20;

/**
 * Compares the list in force at the draft's start with the draft. Saves nothing.
 * @throws Problem INVALID_REQUEST naming the fields of the list
 */
export async function previewPrices(
  { db, clock, catalog, prices }: PricePreviewDeps,
  scope: Scope,
  { list, startsAt, rate, channel = "TILL" }: PricePreviewInput,
): Promise<PricePreview> {
  requireValidList(list);
  const at = startsAt === undefined ? clock.now() : Date.parse(startsAt);
  if (at < clock.now()) {
    const fields = { startsAt: "must be later than now" };
    throw new Problem("INVALID_REQUEST", "A price list cannot start in the past.", fields);
  }
  const { engine: old, terms } = await prices.read(db, scope, at);
  const newest = await findNewest(db, scope);
  const before = (await findList(db, scope, newest.version)) ?? { ...list, rules: [] };
  const draft = toStored(list, { before, version: newest.version + 1 });
  const next = new PriceEngine({
    list: draft,
    terms: { ...terms, ...(rate !== undefined && { rate }) },
    at,
    spent: new Set(),
  });

  const sum = new PreviewSummary();
  const { offers } = await catalog.getStated(scope);
  for (const [index, offer] of offers.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await pause();
    if (!offer.enabled) continue;
    const after = next.price(offer, channel);
    sum.add(offer, { of: old.price(offer, channel), by: old }, { of: after, by: next });
  }
  const { currency, currencyDivisor } = terms;
  return { at: toTimestamp(at), currency, currencyDivisor, ...sum.result() };
}

export async function compareWithSuggested(
  { db, clock, catalog, prices }: PricePreviewDeps,
  scope: Scope,
): Promise<LivePriceChanges> {
  const at = clock.now();
  const { engine, terms } = await prices.read(db, scope, at);
  const suggested = new PriceEngine({ list: EMPTY_LIST, terms, at, spent: new Set() });
  const sum = new PreviewSummary();
  const { offers } = await catalog.getStated(scope);
  for (const [index, offer] of offers.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await pause();
    if (!offer.enabled) continue;
    const before = { of: suggested.price(offer, "TILL"), by: suggested };
    sum.add(offer, before, { of: engine.price(offer, "TILL"), by: engine });
  }
  const { currency, currencyDivisor } = terms;
  const { offers: sold, changed, largest } = sum.result();
  return { currency, currencyDivisor, offers: sold, changed, largest };
}

interface PricedSide {
  of: PricedByRule;
  by: PriceEngine;
}

class PreviewSummary {
  #offers = 0;
  #dearer = 0;
  #cheaper = 0;
  readonly #margins = { old: [0, 0], new: [0, 0] } satisfies Record<string, [number, number]>;
  #changed = 0;
  /** Changes, largest first. */
  readonly #largest: (PriceChange & { by: number })[] = [];
  #blockedCount = 0;
  #soldAgain = 0;
  readonly #blocked: PriceChange[] = [];
  #shortenedCount = 0;
  readonly #shortened: ShortenedOffer[] = [];

  add(offer: Offer, before: PricedSide, after: PricedSide): void {
    this.#offers += 1;
    const [was, is] = [before, after].map((side) => getComparedPrice(offer, side));
    const marginPercent = this.#addMargin(offer, after, "new");
    this.#addMargin(offer, before, "old");
    const change: PriceChange = {
      offerId: offer.offerId,
      brandName: offer.brandName,
      title: offer.shortNotes,
      ...(was !== undefined && { old: was }),
      ...(is !== undefined && { new: is, marginPercent }),
      ...(after.of.blocked && { blocked: after.of.blocked }),
    };
    if (after.of.full && !after.of.blocked) {
      this.#addShortened(offer, after.of.offer, after.of.full);
    }
    if (after.of.blocked) this.#addBlocked(change);
    else if (before.of.blocked) this.#soldAgain += 1;
    if (was === undefined || is === undefined || was === is) return;
    if (is > was) this.#dearer += 1;
    else this.#cheaper += 1;
    this.#changed += 1;
    this.#addLargest({ ...change, by: Math.abs(is - was) / Math.max(1, was) });
  }

  #addBlocked(change: PriceChange): void {
    this.#blockedCount += 1;
    if (this.#blocked.length < BLOCKED_NAMED) this.#blocked.push(change);
  }

  #addShortened(
    { offerId, brandName, shortNotes: title }: Offer,
    { price: { min = 0, max = 0 } }: Offer,
    full: { min: number; max: number },
  ): void {
    this.#shortenedCount += 1;
    if (this.#shortened.length >= BLOCKED_NAMED) return;
    const { min: fullMin, max: fullMax } = full;
    this.#shortened.push({ offerId, brandName, title, min, max, fullMin, fullMax });
  }

  /** Inserts in order, because one large sort at the end would block the event loop. */
  #addLargest(change: PriceChange & { by: number }): void {
    const place = this.#largest.findIndex((one) => isLarger(change, one));
    if (place < 0 && this.#largest.length >= MAX_CHANGES_NAMED) return;
    this.#largest.splice(place < 0 ? this.#largest.length : place, 0, change);
    this.#largest.length = Math.min(this.#largest.length, MAX_CHANGES_NAMED);
  }

  result() {
    const largest = this.#largest.map(({ by: _by, ...change }) => change);
    return {
      offers: this.#offers,
      changed: this.#changed,
      dearer: this.#dearer,
      cheaper: this.#cheaper,
      blocked: this.#blockedCount,
      soldAgain: this.#soldAgain,
      marginPercent: { old: mean(this.#margins.old), new: mean(this.#margins.new) },
      largest,
      blockedOffers: this.#blocked,
      shortened: this.#shortenedCount,
      shortenedOffers: this.#shortened,
    };
  }

  #addMargin(offer: Offer, { of, by }: PricedSide, side: "old" | "new"): number {
    if (of.blocked) return 0;
    const margin = offerMargin(offer, of.offer, by.money);
    this.#margins[side][0] += margin;
    this.#margins[side][1] += 1;
    return margin;
  }
}

function isLarger(
  one: { by: number; offerId: string },
  other: { by: number; offerId: string },
): boolean {
  return one.by === other.by ? one.offerId < other.offerId : one.by > other.by;
}

function getComparedPrice(offer: Offer, { of }: PricedSide): number | undefined {
  return of.blocked ? undefined : comparedPrice(offer, of.offer);
}

function mean([sum, count]: readonly [number, number]): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}

/** Returns minor units of the shop's currency; for a RANGE offer, at the least delivered amount. */
function comparedPrice(stated: Offer, priced: Offer): number {
  const isFixed = priced.priceType === "FIXED";
  const least = "send" in stated ? (stated.send.min ?? 0) : 0;
  const quote = isFixed ? quoteOffer(priced, undefined) : quoteDelivered(priced, least);
  return quote.priceBase + quote.priceFee;
}

/** Returns the margin without tax in percent of the cost; for a RANGE offer, without rounding. */
export function offerMargin(stated: Offer, priced: Offer, money: ShopMoney): number {
  const { cost } = stated;
  if (stated.priceType === "FIXED") {
    const price = new Exact(comparedPrice(stated, priced));
    return money.getMargin(price, fixedCost(stated, money), stated);
  }
  const part = money
    .getCostRate(cost)
    .mul(priced.price.fx ?? 0)
    .mul(new Exact(cost.feePct).div(100).add(1))
    .div(cost.fx ?? 1);
  return money.getMargin(new Exact(1), part, stated);
}
