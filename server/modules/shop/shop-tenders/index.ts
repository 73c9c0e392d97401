import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { ShopTenderService } from "./shop-tender-service.ts";

export { readOpeningTenders, toTenders } from "./shop-tender-service.ts";

export function createShopTendersModule(deps: Base) {
  const shopTenders = new ShopTenderService(deps);
  return {
    services: { shopTenders },
    pos: (app) => registerShopTenderRoutes(app, shopTenders),
  } satisfies Module;
}

async function registerShopTenderRoutes(app: App, tenders: ShopTenderService): Promise<void> {
  const { shopTenderOperations } = await import("../../../contract/pos/shop-tenders.ts");
  handle(app, shopTenderOperations.list, ({ actor }) => tenders.get(actor.accountId));

  handle(app, shopTenderOperations.save, ({ actor: { accountId, staffId }, body }) =>
    tenders.save({ accountId, staffId }, body),
  );
}
