import { printerOperations } from "../../../contract/pos/printers.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { PrinterService } from "./printer-service.ts";

export function registerPrinterRoutes(app: App, printers: PrinterService): void {
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
