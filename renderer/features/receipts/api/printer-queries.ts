import {
  type DrawerCause,
  type Print,
  type Printer,
  type PrintInput,
  printerOperations,
  type SavedPrinter,
} from "../../../../server/contract/pos/printers.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

export function printersQuery() {
  return { ...operationQuery(printerOperations.list), staleTime: 10_000 };
}

export function savePrinter({ printerId, ...input }: Printer): Promise<SavedPrinter> {
  return call(printerOperations.save, { params: { printerId }, body: input });
}

/** Records that this device is about to print on its own printer. */
export function beginPrint(printId: string): Promise<object> {
  return call(printerOperations.beginPrint, { params: { printId } });
}

/** Prints bytes. A repeat with the same `printId` prints only if no byte was sent before. */
export function postPrint(
  printerId: string,
  print: {
    readonly printId: string;
    readonly bytes: Uint8Array;
    readonly drawer: DrawerCause | undefined;
  },
): Promise<Print> {
  const { printId, bytes, drawer } = print;
  const body: PrintInput = { printId, data: toBase64(bytes), ...(drawer && { drawer }) };
  return call(printerOperations.print, { params: { printerId }, body });
}

export function getPrint(printerId: string, printId: string): Promise<Print> {
  return call(printerOperations.getPrint, { params: { printerId, printId } });
}

/** Maximum number of arguments of one call. More arguments overflow the stack. */
const CHUNK = 8192;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}
