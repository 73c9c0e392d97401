import { defineOperation, NOTHING } from "./operation.ts";
import {
  MOST_PRINT_BYTES,
  Print,
  Printer,
  PrinterInput,
  PrinterParams,
  Printers,
  PrintIdParams,
  PrintInput,
  PrintParams,
} from "./printers.ts";

/** Base64 is a third longer than what it stands for; the rest of the body is short. */
const PRINT_BODY_BYTES = Math.ceil(MOST_PRINT_BYTES * 1.5);

/** An owner says where the printers are, everybody at the till prints. */
export const printerOperations = {
  list: defineOperation({
    method: "GET",
    path: "/printers",
    answer: Printers,
    access: "seller",
    refusals: [],
  }),
  save: defineOperation({
    method: "PUT",
    path: "/printers/:printerId",
    params: PrinterParams,
    body: PrinterInput,
    answer: Printer,
    access: "owner",
    refusals: [],
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/printers/:printerId",
    params: PrinterParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  print: defineOperation({
    method: "POST",
    path: "/printers/:printerId/prints",
    params: PrinterParams,
    body: PrintInput,
    answer: Print,
    access: "seller",
    rights: ["noSale"],
    refusals: ["NOT_FOUND", "FORBIDDEN", "RATE_LIMITED"],
    bodyLimitBytes: PRINT_BODY_BYTES,
  }),
  beginPrint: defineOperation({
    method: "POST",
    path: "/prints/:printId/begin",
    params: PrintIdParams,
    answer: NOTHING,
    access: "seller",
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  getPrint: defineOperation({
    method: "GET",
    path: "/printers/:printerId/prints/:printId",
    params: PrintParams,
    answer: Print,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
};
