import { heldSaleOperations } from "../../contract/pos/held-sale-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { HeldSaleService } from "./held-sale-service.ts";

/** Baskets put aside. */
export function registerHeldSaleRoutes(app: App, held: HeldSaleService): void {
  handle(app, heldSaleOperations.hold, ({ cashier, body }) => held.hold(cashier, body));

  handle(app, heldSaleOperations.list, async ({ cashier }) => ({
    list: await held.list(cashier),
  }));

  handle(app, heldSaleOperations.resume, ({ cashier, params, body }) =>
    held.resume(cashier, params.heldSaleId, body.resumeId),
  );

  handle(app, heldSaleOperations.discard, async ({ cashier, params }) => {
    await held.discard(cashier, params.heldSaleId);
    return {};
  });
}
