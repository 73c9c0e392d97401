import { favouriteOperations } from "../../contract/pos/favourite-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { FavouriteService } from "./favourite-service.ts";

/** What the shop knows of its customers' numbers. */
export function registerFavouriteRoutes(app: App, favourites: FavouriteService): void {
  handle(app, favouriteOperations.list, async ({ cashier }) => ({
    list: await favourites.list(cashier),
  }));

  handle(app, favouriteOperations.save, async ({ cashier, params, body }) => ({
    list: await favourites.save(cashier, params.number, body.name),
  }));

  handle(app, favouriteOperations.remove, async ({ cashier, params }) => ({
    list: await favourites.remove(cashier, params.number),
  }));

  handle(app, favouriteOperations.rememberCarrier, ({ cashier, params, body }) =>
    favourites.rememberCarrier(cashier, params.number, body.brand),
  );
}
