import { printerOperations } from "../../contract/pos/printer-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { PrinterService } from "./printer-service.ts";

/** An owner says where the printers are, everybody at the till prints. */
export function registerPrinterRoutes(app: App, printers: PrinterService): void {
  handle(app, printerOperations.list, async ({ cashier }) => ({
    list: await printers.list(cashier.accountId),
  }));

  handle(app, printerOperations.save, ({ cashier, params, body }) =>
    printers.put(cashier, params.printerId, body),
  );

  handle(app, printerOperations.remove, async ({ cashier, params }) => {
    await printers.remove(cashier, params.printerId);
    return {};
  });

  handle(app, printerOperations.print, ({ cashier, params, body }) =>
    printers.print(cashier, params.printerId, body),
  );

  handle(app, printerOperations.getPrint, ({ params }) =>
    printers.getPrint(params.printerId, params.printId),
  );
}
