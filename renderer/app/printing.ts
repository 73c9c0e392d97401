import type { QueryClient } from "@tanstack/react-query";
import { type Receipt, saleOperations } from "../../server/contract/pos/sales.ts";
import { printReceipt } from "../features/receipts/index.ts";
import { findChosenPrinter, requirePrinted } from "../features/receipts/print/chosen-printer.ts";
import { call } from "../lib/api-client.ts";
import { type Approve, sendApproved } from "../lib/approval-context.ts";
import { newId } from "../lib/new-id.ts";
import { queryKeyOf } from "../lib/operation-query.ts";
import { saleQuery } from "../lib/pos-queries.ts";
import { PrintError } from "../lib/print-error.ts";
import { getReceiptLanguage } from "../lib/receipt-language.ts";

/** @throws PrintError if the script cannot be loaded */
export function fetchReports() {
  return import("./print-report.tsx").catch(() => {
    throw new PrintError("FAILED");
  });
}

/**
 * Records the print and prints the sale's current state. The gateway decides whether the print is
 * the original or a numbered copy. A print that fails before its first byte is not counted.
 * @throws PrintError if the printer did not print the receipt
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
    // Queries the sale again, because even a failed print may count. Also removes the receipt's
    // secrets from the screen's data.
    void queryClient.invalidateQueries({ queryKey: saleQuery(saleId).queryKey });
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(saleOperations.list) });
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
