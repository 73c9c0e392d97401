import { favouriteOperations } from "../../../contract/pos/favourites.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { FavouriteService } from "./favourite-service.ts";
import type { NumberErasure } from "./number-erasure.ts";

export function registerFavouriteRoutes(
  app: App,
  { favourites, erasure }: { favourites: FavouriteService; erasure: NumberErasure },
): void {
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
