import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { RequireShift, SaleService } from "../sales/index.ts";
import { CustomerRefundService } from "./customer-refund-service.ts";

export { findDrawerCustomerRefund } from "./customer-refund-service.ts";

type CustomerRefundsModuleDeps = Base & {
  sales: SaleService;
  shop: ShopService;
  requireShift: RequireShift;
};

export function createCustomerRefundsModule(deps: CustomerRefundsModuleDeps) {
  const customerRefunds = new CustomerRefundService(deps);
  return {
    services: { customerRefunds },
    pos: (app) => registerCustomerRefundRoutes(app, customerRefunds),
  } satisfies Module;
}

async function registerCustomerRefundRoutes(
  app: App,
  customerRefunds: CustomerRefundService,
): Promise<void> {
  const { saleOperations } = await import("../../../contract/pos/sales.ts");
  handle(app, saleOperations.customerRefund, ({ actor, params, body, request }) =>
    customerRefunds.refund(actor, params.saleId, body, placeOf(request)),
  );
  handle(app, saleOperations.replace, ({ actor, params, body, request }) =>
    customerRefunds.replace(actor, params.saleId, body, placeOf(request)),
  );
}
