import { shopOperations } from "../../contract/pos/shop-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import { changeShop, toShopFacts } from "./shop-change.ts";
import type { ShopService } from "./shop-service.ts";

type Deps = { shop: ShopService } & Parameters<typeof changeShop>[0];

/** The shop's name, language and country, for owners. */
export function registerShopRoutes(app: App, deps: Deps): void {
  handle(app, shopOperations.get, async ({ actor }) =>
    toShopFacts(await deps.shop.get(actor.accountId)),
  );

  handle(app, shopOperations.change, ({ actor, body }) => {
    const { accountId, staffId } = actor;
    return changeShop(deps, { accountId, staffId }, body);
  });
}
