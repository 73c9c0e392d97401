import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import { FavouriteService, type NumberLookup } from "./favourite-service.ts";
import { NumberErasure } from "./number-erasure.ts";

export {
  findCarrier,
  findFavouriteNames,
  listFavourites,
  saveFavourite,
} from "./favourite-service.ts";
export { eraseOldNumbers } from "./number-erasure.ts";

type CustomersModuleDeps = Base & { phones: PhoneService; counter: NumberLookup };

export function createCustomersModule(deps: CustomersModuleDeps) {
  const favourites = new FavouriteService(deps);
  const erasure = new NumberErasure(deps);
  return {
    services: { favourites },
    pos: (app) => registerFavouriteRoutes(app, { favourites, erasure }),
  } satisfies Module;
}

async function registerFavouriteRoutes(
  app: App,
  { favourites, erasure }: { favourites: FavouriteService; erasure: NumberErasure },
): Promise<void> {
  const { favouriteOperations } = await import("../../../contract/pos/favourites.ts");
  handle(app, favouriteOperations.list, async ({ actor }) => ({
    list: await favourites.list(actor),
  }));

  handle(app, favouriteOperations.save, async ({ actor, params, body }) => ({
    list: await favourites.save(actor, params.number, body.name),
  }));

  handle(app, favouriteOperations.remove, async ({ actor, params }) => ({
    list: await favourites.remove(actor, params.number),
  }));

  handle(app, favouriteOperations.rememberCarrier, ({ actor, params, body }) =>
    favourites.rememberCarrier(actor, params.number, body.brand),
  );

  handle(app, favouriteOperations.erase, async ({ actor: { accountId, staffId }, body }) => ({
    lines: await erasure.erase({ accountId, staffId }, body.number),
  }));
}
