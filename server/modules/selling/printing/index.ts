import type { Base, Module } from "../../module.ts";
import { findDrawerCustomerRefund } from "../customer-refunds/index.ts";
import { findDrawerSale } from "../sales/index.ts";
import { findMovementAuthor } from "../shifts/index.ts";
import { DrawerGuard } from "./drawer-guard.ts";
import { PrintQueue } from "./print-queue.ts";
import { PrinterService } from "./printer-service.ts";

export function createPrintingModule(base: Base) {
  const { db } = base;
  const queue = new PrintQueue(base);
  const drawers = new DrawerGuard({
    ...base,
    cashMovements: {
      SALE: (scope, id) => findDrawerSale(db, scope, id),
      CUSTOMER_REFUND: (scope, id) => findDrawerCustomerRefund(db, scope, id),
      MOVEMENT: (scope, id) => findMovementAuthor(db, scope, id),
    },
  });
  const printers = new PrinterService({ ...base, queue, drawers });
  return {
    services: { printers },
    pos: async (app) => (await import("./printer-routes.ts")).registerPrinterRoutes(app, printers),
    stop: () => queue.stop(),
  } satisfies Module;
}
