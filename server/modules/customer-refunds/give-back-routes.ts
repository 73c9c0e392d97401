import { saleOperations } from "../../contract/pos/sale-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { GiveBackService } from "./give-back-service.ts";

/** Money of a sale that is handed back to the customer. */
export function registerGiveBackRoutes(app: App, giveBacks: GiveBackService): void {
  handle(app, saleOperations.giveBack, ({ cashier, params, body }) =>
    giveBacks.giveBack(cashier, params.saleId, body),
  );
}
