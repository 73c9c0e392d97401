import type { QueryClient } from "@tanstack/react-query";
import type { Printer } from "../../../../server/contract/pos/printers.ts";
import { PrintError } from "../../../lib/print-error.ts";
import { getPrintSettings } from "../../../lib/print-settings.ts";
import { printersQuery } from "../api/printer-queries.ts";
import type { Printed } from "./print-failure.ts";

/**
 * Returns the network printer on which this device prints; undefined for the system's printer.
 * Never falls back to another printer.
 * @throws PrintError if the printer was removed, or the shop's printers cannot be read
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

/** @throws PrintError unless the print succeeded or a person cancelled the dialog */
export function requirePrinted({ printed, reason = "FAILED", begun }: Printed): void {
  if (!printed && reason !== "CANCELLED") {
    throw new PrintError(reason, begun);
  }
}
