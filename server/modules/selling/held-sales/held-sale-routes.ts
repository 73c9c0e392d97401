import { heldSaleOperations } from "../../../contract/pos/held-sales.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { HeldSaleService } from "./held-sale-service.ts";

export function registerHeldSaleRoutes(app: App, held: HeldSaleService): void {
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
