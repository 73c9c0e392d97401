import type { PriceQuestion, PriceRate, PriceReason } from "../../../contract/pos/price-lists.ts";
import type { PriceChannel } from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { pause, toTimestamp } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import type { Base, Module } from "../../module.ts";
import { type ReferenceRates, type ShopService, toInstant } from "../../shop/shop/index.ts";
import {
  type CatalogService,
  priceOffer,
  type Quote,
  quoteDelivered,
  quoteOffer,
  sumCost,
} from "../catalog/index.ts";
import type { PricedByRule, PriceStep } from "./fixed-price.ts";
import { listBlockedOffers } from "./floor-guard.ts";
import type { PriceEngine } from "./price-engine.ts";
import { PRICES_CHANGE_JOB, PriceListService } from "./price-list-service.ts";
import { EMPTY_LIST, findList } from "./price-list-store.ts";
import { offerMargin, previewPrices } from "./price-preview.ts";
import { type PriceReader, readDrift } from "./price-reader.ts";
import { ShopMoney } from "./shop-money.ts";

export {
  createCostCheck,
  createFloorGuard,
  findBelowCost,
  type MayCost,
  type RequireFloor,
} from "./floor-guard.ts";
export { PriceEngine } from "./price-engine.ts";
export type { PriceAuthor, PriceListService } from "./price-list-service.ts";
export {
  addStartingLists,
  countLossAgain,
  EMPTY_LIST,
  findNewest,
  readListInForce,
  releaseLoss,
} from "./price-list-store.ts";
export { compareWithSuggested } from "./price-preview.ts";
export { PriceReader, type PricesInForce, type RateDeps, readDrift } from "./price-reader.ts";
export {
  calculateLineCost,
  convertCost,
  type LineCost,
  sumLineCosts,
  taxPart,
} from "./shop-money.ts";

type PricesModuleDeps = Base & {
  catalog: CatalogService;
  shop: ShopService;
  prices: PriceReader;
  rates: ReferenceRates;
};

export function createPricesModule(deps: PricesModuleDeps) {
  const priceLists = new PriceListService(deps);
  return {
    services: { priceLists },
    jobs: [{ kind: PRICES_CHANGE_JOB, run: (subject) => priceLists.announceChange(subject) }],
    pos: (app) => registerPriceRoutes(app, { ...deps, priceLists }),
  } satisfies Module;
}

type PriceRoutesDeps = PricesModuleDeps & { priceLists: PriceListService };

async function registerPriceRoutes(app: App, deps: PriceRoutesDeps): Promise<void> {
  const { priceOperations } = await import("../../../contract/pos/price-lists.ts");
  const { priceLists } = deps;

  handle(app, priceOperations.get, ({ actor: { accountId }, params }) =>
    priceLists.get({ accountId, ...params }),
  );

  handle(app, priceOperations.listVersions, ({ actor: { accountId }, params, query }) => {
    const { _limit: limit, _offset: offset } = query;
    return priceLists.listVersions({ accountId, ...params }, { limit, offset });
  });

  handle(app, priceOperations.getVersion, ({ actor: { accountId }, params }) => {
    const { environment, version } = params;
    return priceLists.getVersion({ accountId, environment }, Number(version));
  });

  handle(app, priceOperations.preview, ({ actor: { accountId }, params, body }) =>
    previewPrices(deps, { accountId, ...params }, body),
  );

  handle(app, priceOperations.save, ({ actor, params, body }) =>
    priceLists.save({ ...toAuthor(actor), ...params }, body),
  );

  handle(app, priceOperations.undo, ({ actor, params, body }) =>
    priceLists.undo({ ...toAuthor(actor), ...params }, body),
  );

  handle(app, priceOperations.listBlocked, ({ actor: { accountId }, params }) =>
    listBlockedOffers(deps, { accountId, ...params }),
  );

  handle(app, priceOperations.explain, ({ actor: { accountId }, params, body }) =>
    explainPrice(deps, { accountId, ...params }, body),
  );

  handle(app, priceOperations.getRate, ({ actor: { accountId }, params }) =>
    readRate(deps, { accountId, ...params }),
  );
}

function toAuthor({ accountId, staffId, rights }: SignedInActor) {
  return { accountId, staffId, mayLose: rights.belowCost };
}

interface PriceReasonsDeps extends Pick<Base, "db" | "clock"> {
  catalog: CatalogService;
  shop: ShopService;
  prices: PriceReader;
  rates: ReferenceRates;
}

const AT_A_TIME = 200;

/** Margins in percent. The page counts the offers below each margin. */
const MARGINS = [0, 2, 5, 10];

/**
 * Explains a price with the function that prices offers for sale. A RANGE offer is explained at a
 * value, by default the smallest.
 * @throws Problem OFFER_NOT_FOUND, VALUE_NOT_ALLOWED, VALUE_OUT_OF_RANGE
 */
async function explainPrice(
  deps: PriceReasonsDeps,
  { accountId, environment }: Scope,
  { offerId, value, channel = "TILL" }: PriceQuestion,
): Promise<PriceReason> {
  const { db, clock, catalog, prices } = deps;
  const scope = { accountId, environment };
  const at = clock.now();
  const { offers } = await catalog.getStated(scope);
  const stated = offers.find((offer) => offer.offerId === offerId);
  if (!stated) {
    const fields = { offerId: "is not an offer" };
    throw new Problem("OFFER_NOT_FOUND", `There is no offer ${offerId}.`, fields);
  }
  const { engine, version, terms, until } = await prices.read(db, scope, at);
  const priced = engine.price(stated, channel);
  const range = toRange(priced.offer);
  const quote = quoteOffer(priced.offer, value ?? (range && { type: "PRICE", value: range.min }));
  const price = quote.priceBase + quote.priceFee;
  const steps = listSteps(stated, priced, { engine, quote, channel });
  const exactCost = engine.money.toShopCost(sumCost(quote), stated.cost);
  return {
    offerId,
    brandName: stated.brandName,
    title: stated.shortNotes,
    country: stated.country,
    productType: stated.productType,
    ...(range && { range }),
    at: toTimestamp(at),
    version,
    currency: terms.currency,
    currencyDivisor: terms.currencyDivisor,
    ...(priced.blocked ? { blocked: priced.blocked } : { price }),
    ...(priced.rule && { rule: priced.rule.rule }),
    ...(priced.isFaceValue && { faceValue: true }),
    cost: {
      amount: sumCost(quote),
      currency: stated.cost.currency,
      currencyDivisor: stated.cost.currencyDivisor,
    },
    rate: await readRateSource(deps, accountId),
    steps: steps.map(({ step, amount }) => ({ step, amount: amount.toDecimalPlaces(6).toFixed() })),
    marginPercent: engine.money.getMargin(new Exact(price), exactCost, stated),
    ...(Number.isFinite(until) && { until: toTimestamp(until) }),
  };
}

function toRange({ priceType, price }: Offer): PriceReason["range"] {
  if (priceType === "FIXED") return undefined;
  const { min = 0, max = 0, increment = 1, fee } = price;
  return { min, max, increment, fee };
}

async function readRate(deps: PriceReasonsDeps, scope: Scope): Promise<PriceRate> {
  const { db, clock, catalog, prices } = deps;
  const drift = await readDrift(deps, scope);
  const { engine, version, terms } = await prices.read(db, scope, clock.now());
  const list = (await findList(db, scope, version)) ?? EMPTY_LIST;
  const { rate, ...set } = await readRateSource(deps, scope.accountId);
  const other = new ShopMoney(list, { ...terms, rate: drift.reference?.rate ?? rate });

  const margins = MARGINS.map((belowPercent) => ({ belowPercent, offers: 0, atReference: 0 }));
  const { offers } = await catalog.getStated(scope);
  for (const [index, offer] of offers.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await pause();
    const priced = engine.price(offer, "TILL");
    if (!priced.offer.enabled) continue;
    const [now, then] = [engine.money, other].map((by) => offerMargin(offer, priced.offer, by));
    for (const row of margins) {
      if (now !== undefined && now < row.belowPercent) row.offers += 1;
      if (then !== undefined && then < row.belowPercent) row.atReference += 1;
    }
  }
  return {
    ...drift,
    ...set,
    margins,
  };
}

/** A rate with the value and date of the reference was proposed by setup and never changed. */
async function readRateSource(
  { shop, rates }: PriceReasonsDeps,
  accountId: string,
): Promise<PriceReason["rate"]> {
  const { currency, rate, rateSetAt } = await shop.get(accountId);
  const proposed = rates.rates[currency];
  const isProposed =
    proposed !== undefined && new Exact(proposed).eq(rate) && rateSetAt === toInstant(rates);
  return { rate, setAt: toTimestamp(rateSetAt), source: isProposed ? "REFERENCE" : "OWNER" };
}

interface ExplainedSale {
  engine: PriceEngine;
  channel: PriceChannel;
  quote: Quote;
}

/**
 * A RANGE offer has one price per unit, so its steps are recalculated at the amount. The sold price
 * differs from the last step by rounding (rules#price-range).
 */
function listSteps(stated: Offer, priced: PricedByRule, at: ExplainedSale): PriceStep[] {
  const { engine, quote, channel } = at;
  const { money } = engine;
  if (stated.priceType === "FIXED" && priced.steps.length > 0) return priced.steps;
  const cost = money.toShopCost(sumCost(quote), stated.cost);
  const { lowest } = engine.lowest(stated, channel, sumCost(quote));
  const ends: PriceStep[] = [
    ...(money.hasFloor ? [{ step: "FLOOR" as const, amount: lowest }] : []),
    ...(priced.blocked
      ? []
      : [{ step: "PRICE" as const, amount: new Exact(quote.priceBase + quote.priceFee) }]),
  ];
  const first: PriceStep = { step: "COST", amount: cost };
  if (priced.isFaceValue) {
    return [first, { step: "FACE_VALUE", amount: new Exact(quote.priceBase) }, ...ends];
  }
  if (!priced.rule) return [first, { step: "BASIS", amount: suggestedAt(stated, at) }, ...ends];
  const { factor, rule } = priced.rule;
  const basis = rule.basis === "COST" ? cost : suggestedAt(stated, at);
  const raised = basis.mul(factor);
  const taxed = raised.mul(money.getTax(stated.productType).onPrice);
  return [
    first,
    { step: "BASIS", amount: basis },
    { step: "RULE", amount: raised },
    { step: "TAX", amount: taxed },
    ...ends,
  ];
}

function suggestedAt(stated: Offer, { engine, quote }: ExplainedSale): Exact {
  const { priceBase, priceFee } = quoteDelivered(
    priceOffer(stated, engine.money.terms),
    quote.send,
  );
  return new Exact(priceBase + priceFee);
}
