import { priceOperations } from "../../../contract/pos/price-lists.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { listBlockedOffers } from "./floor-guard.ts";
import type { PriceListService } from "./price-list-service.ts";
import { previewPrices } from "./price-preview.ts";
import { explainPrice, readRate } from "./price-reasons.ts";

type PriceRoutesDeps = { priceLists: PriceListService } & Parameters<typeof explainPrice>[0];

export function registerPriceRoutes(app: App, deps: PriceRoutesDeps): void {
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
