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
    pos: async (app) =>
      (await import("./customer-refund-routes.ts")).registerCustomerRefundRoutes(
        app,
        customerRefunds,
      ),
  } satisfies Module;
}
