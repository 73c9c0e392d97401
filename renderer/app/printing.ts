import type { QueryClient } from "@tanstack/react-query";
import type { Printer } from "../../server/contract/pos/printers.ts";
import { saleOperations } from "../../server/contract/pos/sale-operations.ts";
import type { Receipt } from "../../server/contract/pos/sales.ts";
import { printersQuery } from "../features/receipts/api/printer-queries.ts";
import { type Printed, printReceipt } from "../features/receipts/index.ts";
import { call } from "../lib/api-client.ts";
import { type Approve, sendApproved } from "../lib/approval-context.ts";
import { newId } from "../lib/new-id.ts";
import { queryKeyOf } from "../lib/operation-query.ts";
import { saleQuery } from "../lib/pos-queries.ts";
import { PrintError } from "../lib/print-error.ts";
import { getPrintSettings } from "../lib/print-settings.ts";
import { getReceiptLanguage } from "../lib/receipt-language.ts";

/** What prints reports, to be fetched ahead. @throws PrintError while it cannot be fetched */
export function fetchReports() {
  return import("./print-report.tsx").catch(() => {
    throw new PrintError("FAILED");
  });
}

/**
 * Records the print, which makes it the original or a numbered copy, and puts the sale on paper as it is
 * now. The gateway says which it is: a print of which no byte was sent counts as none.
 * @throws PrintError when the printer did not take it
 */
export async function printSaleReceipt(
  queryClient: QueryClient,
  approve: Approve,
  saleId: string,
): Promise<void> {
  const printer = await findChosenPrinter(queryClient);
  const printId = newId();
  try {
    const receipt = await recordPrint(approve, saleId, printId);
    requirePrinted(await printReceipt(receipt, printer, printId));
  } finally {
    // What is printed is more than may stay on the screen, and it counts once it has begun.
    void queryClient.invalidateQueries({ queryKey: saleQuery(saleId).queryKey });
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(saleOperations.list) });
  }
}

/**
 * The printer of the shop's network that this device prints on; undefined for the system's own. What was
 * chosen is used or nothing is.
 * @throws PrintError when it was removed, or the shop's printers cannot be read
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

/** @throws PrintError unless it was printed, or a person cancelled it */
export function requirePrinted({ printed, reason = "FAILED", begun }: Printed): void {
  if (!printed && reason !== "CANCELLED") {
    throw new PrintError(reason, begun);
  }
}

function recordPrint(approve: Approve, saleId: string, printId: string): Promise<Receipt> {
  return sendApproved(approve, saleId, (approvalId) =>
    call(saleOperations.print, {
      params: { saleId },
      query: { approvalId, language: getReceiptLanguage(saleId), printId },
    }),
  );
}
