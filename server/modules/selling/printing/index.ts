import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
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
    pos: (app) => registerPrinterRoutes(app, printers),
    stop: () => queue.stop(),
  } satisfies Module;
}

async function registerPrinterRoutes(app: App, printers: PrinterService): Promise<void> {
  const { printerOperations } = await import("../../../contract/pos/printers.ts");
  handle(app, printerOperations.list, async ({ actor }) => ({
    list: await printers.list(actor.accountId),
  }));

  handle(app, printerOperations.save, ({ actor, params, body }) =>
    printers.put(actor, params.printerId, body),
  );

  handle(app, printerOperations.remove, async ({ actor, params }) => {
    await printers.remove(actor, params.printerId);
    return {};
  });

  handle(app, printerOperations.print, ({ actor, params, body }) =>
    printers.print(actor, params.printerId, body),
  );

  handle(app, printerOperations.beginPrint, async ({ actor, params }) => {
    await printers.beginPrint(actor, params.printId);
    return {};
  });

  handle(app, printerOperations.getPrint, ({ actor, params }) => printers.getPrint(actor, params));
}
