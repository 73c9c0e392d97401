import { shopTenderOperations } from "../../../contract/pos/shop-tenders.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ShopTenderService } from "./shop-tender-service.ts";

export function registerShopTenderRoutes(app: App, tenders: ShopTenderService): void {
  handle(app, shopTenderOperations.list, ({ actor }) => tenders.get(actor.accountId));

  handle(app, shopTenderOperations.save, ({ actor: { accountId, staffId }, body }) =>
    tenders.save({ accountId, staffId }, body),
  );
}
