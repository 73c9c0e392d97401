import type { DrawerCause, Printer, Printers } from "../../../server/contract/pos/printers.ts";
import type { Receipt } from "../../../server/contract/pos/sales.ts";
import { addLanguage } from "../../lib/i18n.ts";
import type { Printed } from "./print/network-print.ts";
import type { Printable } from "./print/print-receipt.tsx";

export type { ReceiptBlock } from "./blocks/receipt-block.ts";
export type { Printed } from "./print/network-print.ts";

/**
 * Loads the print code, which is not part of the counter's first scripts, in advance or at the
 * first print.
 */
export function fetchReceipts() {
  return import("./print/print-receipt.tsx");
}

/** Prints a receipt. If the print code cannot be loaded, the print fails and can be repeated. */
export function printReceipt(
  receipt: Receipt,
  printer?: Printer,
  printId?: string,
): Promise<Printed> {
  return inLanguage(receipt.language, (print) => print.printReceipt(receipt, printer, printId));
}

export function printBlocks(
  printable: Printable,
  printer: Printer | undefined,
  printId?: string,
): Promise<Printed> {
  return inLanguage(printable.language, (print) => print.printBlocks(printable, printer, printId));
}

export async function openDrawer(printers: Printers["list"], cause: DrawerCause): Promise<void> {
  const print = await fetchReceipts();
  await print.openDrawer(printers, cause);
}

async function inLanguage(
  language: string,
  print: (printing: Awaited<ReturnType<typeof fetchReceipts>>) => Promise<Printed>,
): Promise<Printed> {
  try {
    const [printing] = await Promise.all([fetchReceipts(), addLanguage(language)]);
    return await print(printing);
  } catch {
    return { printed: false, reason: "FAILED" };
  }
}
