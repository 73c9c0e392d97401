import {
  type CatalogPins,
  type CatalogRow,
  officeCatalogOperations,
} from "../../../contract/pos/office-catalog.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CatalogBrowser } from "./catalog-browser.ts";
import type { CatalogChoiceService } from "./catalog-choice-service.ts";

interface OfficeCatalogRoutesDeps {
  catalogBrowser: CatalogBrowser;
  catalogChoices: CatalogChoiceService;
}

export function registerOfficeCatalogRoutes(app: App, deps: OfficeCatalogRoutesDeps): void {
  const { catalogBrowser, catalogChoices } = deps;
  const operations = officeCatalogOperations;

  handle(app, operations.summarize, ({ actor: { accountId }, params }) =>
    catalogBrowser.summarize({ accountId, ...params }),
  );

  handle(app, operations.listOffers, async ({ actor: { accountId, rights }, params, query }) => {
    const page = await catalogBrowser.list({ accountId, ...params }, query);
    const seesCost = rights.seeFigures || rights.changePrices;
    return seesCost ? page : { ...page, list: page.list.map(withoutCost) };
  });

  handle(app, operations.listSwitches, ({ actor: { accountId }, params }) =>
    catalogChoices.listSwitches({ accountId, ...params }),
  );

  handle(app, operations.previewSwitch, ({ actor: { accountId }, params, body }) =>
    catalogChoices.previewSwitch({ accountId, ...params }, body),
  );

  handle(app, operations.switch, ({ actor: { accountId, staffId }, params, body }) =>
    catalogChoices.switch({ accountId, staffId, ...params }, body),
  );

  handle(app, operations.undoSwitch, ({ actor: { accountId, staffId }, params }) => {
    const { environment, sequence } = params;
    return catalogChoices.undoSwitch({ accountId, staffId, environment }, Number(sequence));
  });

  handle(app, operations.listPins, async ({ actor: { accountId }, params }) =>
    pinsWithoutCost(await catalogChoices.listPins({ accountId, ...params })),
  );

  handle(app, operations.savePins, async ({ actor: { accountId, staffId }, params, body }) =>
    pinsWithoutCost(await catalogChoices.savePins({ accountId, staffId, ...params }, body)),
  );

  handle(app, operations.listUpdates, ({ actor: { accountId }, params }) =>
    catalogBrowser.listUpdates({ accountId, ...params }),
  );
}

/** For people who may neither see figures nor change prices. */
function withoutCost({ cost: _cost, ...row }: CatalogRow): CatalogRow {
  return row;
}

function pinsWithoutCost({ list }: CatalogPins): CatalogPins {
  return {
    list: list.map(({ offer, ...pin }) => ({
      ...pin,
      ...(offer && { offer: withoutCost(offer) }),
    })),
  };
}
