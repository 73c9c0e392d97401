import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import type { CatalogService } from "../catalog/index.ts";
import { listBlockedOffers } from "./floor-guard.ts";
import { PRICES_CHANGE_JOB, PriceListService } from "./price-list-service.ts";
import { previewPrices } from "./price-preview.ts";
import type { PriceReader } from "./price-reader.ts";
import { explainPrice, readRate } from "./price-reasons.ts";

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
