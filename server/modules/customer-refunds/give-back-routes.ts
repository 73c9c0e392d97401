import { GiveBackInput } from "../../contract/pos/give-backs.ts";
import { Sale, SaleParams } from "../../contract/pos/sales.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { GiveBackService } from "./give-back-service.ts";

/** Money of a sale that is handed back to the customer. */
export function registerGiveBackRoutes(app: App, giveBacks: GiveBackService): void {
  app.post(
    "/sales/:saleId/give-backs",
    {
      onRequest: requireStaff,
      schema: { params: SaleParams, body: GiveBackInput, response: answers(Sale) },
    },
    (request) => giveBacks.giveBack(cashierOf(request), request.params.saleId, request.body),
  );
}
