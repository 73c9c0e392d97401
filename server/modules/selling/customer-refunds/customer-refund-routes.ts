import { saleOperations } from "../../../contract/pos/sales.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CustomerRefundService } from "./customer-refund-service.ts";

export function registerCustomerRefundRoutes(
  app: App,
  customerRefunds: CustomerRefundService,
): void {
  handle(app, saleOperations.customerRefund, ({ actor, params, body, request }) =>
    customerRefunds.refund(actor, params.saleId, body, placeOf(request)),
  );
  handle(app, saleOperations.replace, ({ actor, params, body, request }) =>
    customerRefunds.replace(actor, params.saleId, body, placeOf(request)),
  );
}
