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
    pos: async (app) =>
      (await import("./favourite-routes.ts")).registerFavouriteRoutes(app, { favourites, erasure }),
  } satisfies Module;
}
