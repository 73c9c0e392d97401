import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { HeldSaleService } from "./held-sale-service.ts";

type HeldSalesModuleDeps = Base & { shop: ShopService };

export function createHeldSalesModule(deps: HeldSalesModuleDeps) {
  const heldSales = new HeldSaleService(deps);
  return {
    services: { heldSales },
    pos: (app) => registerHeldSaleRoutes(app, heldSales),
  } satisfies Module;
}

async function registerHeldSaleRoutes(app: App, held: HeldSaleService): Promise<void> {
  const { heldSaleOperations } = await import("../../../contract/pos/held-sales.ts");
  handle(app, heldSaleOperations.hold, ({ actor, body }) => held.hold(actor, body));

  handle(app, heldSaleOperations.list, async ({ actor }) => ({
    list: await held.list(actor),
  }));

  handle(app, heldSaleOperations.resume, ({ actor, params, body }) =>
    held.resume(actor, params.heldSaleId, body.resumeId),
  );

  handle(app, heldSaleOperations.discard, async ({ actor, params }) => {
    await held.discard(actor, params.heldSaleId);
    return {};
  });
}
