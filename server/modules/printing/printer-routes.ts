import { Type } from "typebox";
import {
  MOST_PRINT_BYTES,
  Print,
  Printer,
  PrinterInput,
  PrinterParams,
  Printers,
  PrintInput,
  PrintParams,
} from "../../contract/pos/printers.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner, requireStaff } from "../../http/staff-guard.ts";
import type { PrinterService } from "./printer-service.ts";

/** Base64 is a third longer than what it stands for; the rest of the body is short. */
const PRINT_BODY_BYTES = Math.ceil(MOST_PRINT_BYTES * 1.5);

/** `/pos/printers`: an owner says where they are, everybody at the till prints. */
export function registerPrinterRoutes(app: App, printers: PrinterService): void {
  app.get(
    "/printers",
    { onRequest: requireStaff, schema: { response: answers(Printers) } },
    async (request) => ({ list: await printers.list(cashierOf(request).accountId) }),
  );

  app.put(
    "/printers/:printerId",
    {
      onRequest: requireOwner,
      schema: { params: PrinterParams, body: PrinterInput, response: answers(Printer) },
    },
    (request) => printers.put(cashierOf(request), request.params.printerId, request.body),
  );

  app.delete(
    "/printers/:printerId",
    {
      onRequest: requireOwner,
      schema: { params: PrinterParams, response: answers(Type.Object({})) },
    },
    async (request) => {
      await printers.remove(cashierOf(request), request.params.printerId);
      return {};
    },
  );

  app.post(
    "/printers/:printerId/prints",
    {
      onRequest: requireStaff,
      bodyLimit: PRINT_BODY_BYTES,
      schema: { params: PrinterParams, body: PrintInput, response: answers(Print) },
    },
    (request) => printers.print(cashierOf(request), request.params.printerId, request.body),
  );

  app.get(
    "/printers/:printerId/prints/:printId",
    { onRequest: requireStaff, schema: { params: PrintParams, response: answers(Print) } },
    async (request) => printers.getPrint(request.params.printerId, request.params.printId),
  );
}
