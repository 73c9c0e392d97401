import type { QueryClient } from "@tanstack/react-query";
import type { Printer } from "../../../../server/contract/pos/printers.ts";
import { PrintError } from "../../../lib/print-error.ts";
import { getPrintSettings } from "../../../lib/print-settings.ts";
import { printersQuery } from "../api/printer-queries.ts";
import type { Printed } from "./network-print.ts";

/**
 * Returns the network printer chosen on this device, never another; undefined for the system's
 * printer.
 * @throws PrintError if the printer was removed, or if the shop's printers cannot be loaded
 */
export async function findChosenPrinter(queryClient: QueryClient): Promise<Printer | undefined> {
  const { printerId } = getPrintSettings();
  if (printerId === undefined) {
    return undefined;
  }
  const { list } = await queryClient.fetchQuery(printersQuery()).catch(() => {
    throw new PrintError("FAILED");
  });
  const chosen = list.find((printer) => printer.printerId === printerId);
  if (!chosen) {
    throw new PrintError("PRINTER_GONE");
  }
  return chosen;
}

/** @throws PrintError if the print failed, but not if the person cancelled the dialog */
export function requirePrinted({ printed, reason = "FAILED", begun }: Printed): void {
  if (!printed && reason !== "CANCELLED") {
    throw new PrintError(reason, begun);
  }
}
