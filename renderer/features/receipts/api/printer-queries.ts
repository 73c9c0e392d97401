import { queryOptions } from "@tanstack/react-query";
import type {
  DrawerCause,
  Print,
  Printer,
  PrinterInput,
  Printers,
  PrintInput,
} from "../../../../server/contract/pos/printers.ts";
import { request } from "../../../lib/api-client.ts";

/** The printers of the shop's network. */
export function printersQuery() {
  return queryOptions({
    queryKey: ["printers"],
    queryFn: ({ signal }) => request<Printers>("GET", "/pos/printers", { signal }),
    staleTime: 10_000,
  });
}

export function savePrinter({ printerId, ...input }: Printer): Promise<Printer> {
  const body: PrinterInput = input;
  return request<Printer>("PUT", `/pos/printers/${printerId}`, { body });
}

export function removePrinter(printerId: string): Promise<object> {
  return request<object>("DELETE", `/pos/printers/${printerId}`);
}

/** Hands bytes over; the same `printId` again prints only what did not come out. */
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
  return request<Print>("POST", `/pos/printers/${printerId}/prints`, { body });
}

export function getPrint(printerId: string, printId: string): Promise<Print> {
  return request<Print>("GET", `/pos/printers/${printerId}/prints/${printId}`);
}

/** So many bytes are arguments of one call: more overflow the stack. */
const CHUNK = 8192;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}
