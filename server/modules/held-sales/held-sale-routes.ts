import { Type } from "typebox";
import {
  HeldSale,
  HeldSaleInput,
  HeldSaleParams,
  HeldSales,
  ResumeInput,
} from "../../contract/pos/held-sales.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { HeldSaleService } from "./held-sale-service.ts";

/** Baskets put aside. */
export function registerHeldSaleRoutes(app: App, held: HeldSaleService): void {
  const onRequest = requireStaff;

  app.post(
    "/held-sales",
    { onRequest, schema: { body: HeldSaleInput, response: answers(HeldSale) } },
    (request) => held.hold(cashierOf(request), request.body),
  );

  app.get(
    "/held-sales",
    { onRequest, schema: { response: answers(HeldSales) } },
    async (request) => ({ list: await held.list(cashierOf(request)) }),
  );

  app.post(
    "/held-sales/:heldSaleId/resume",
    {
      onRequest,
      schema: { params: HeldSaleParams, body: ResumeInput, response: answers(HeldSale) },
    },
    (request) => {
      const { heldSaleId } = request.params;
      return held.resume(cashierOf(request), heldSaleId, request.body.resumeId);
    },
  );

  app.delete(
    "/held-sales/:heldSaleId",
    { onRequest, schema: { params: HeldSaleParams, response: answers(Type.Object({})) } },
    async (request) => {
      await held.discard(cashierOf(request), request.params.heldSaleId);
      return {};
    },
  );
}
