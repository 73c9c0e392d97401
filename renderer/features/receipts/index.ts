import type { DrawerCause, Printer, Printers } from "../../../server/contract/pos/printers.ts";
import type { Receipt } from "../../../server/contract/pos/sales.ts";
import { addLanguage } from "../../lib/i18n.ts";
import type { Printed } from "./print/print-failure.ts";
import type { Printable } from "./print/print-receipt.tsx";

export type { ReceiptBlock } from "./blocks/receipt-block.ts";
export type { Printed } from "./print/print-failure.ts";

/** What draws receipts is no part of the counter's first scripts: it is fetched ahead, or for the first. */
export function fetchReceipts() {
  return import("./print/print-receipt.tsx");
}

/** As `print-receipt` has it; what cannot be fetched is not printed, and tried again like any other. */
export function printReceipt(
  receipt: Receipt,
  printer?: Printer,
  printId?: string,
): Promise<Printed> {
  return inLanguage(receipt.language, (print) => print.printReceipt(receipt, printer, printId));
}

/** The same for what is printed beside receipts. */
export function printBlocks(
  printable: Printable,
  printer: Printer | undefined,
  printId?: string,
): Promise<Printed> {
  return inLanguage(printable.language, (print) => print.printBlocks(printable, printer, printId));
}

/** Opens the cash drawer of this device's printer for a booking; nothing happens without a drawer. */
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
