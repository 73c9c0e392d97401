import type { QueryClient } from "@tanstack/react-query";
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
import { getReceiptLanguage } from "../lib/receipt-language.ts";

/** What prints reports, to be fetched ahead. @throws PrintError while it cannot be fetched */
export function fetchReports() {
  return import("./print-report.tsx").catch(() => {
    throw new PrintError("FAILED");
  });
}

interface Failed {
  readonly receipt: Receipt;
  readonly printId: string;
}

/** Receipts that a network printer did not take: the same one is tried again, not a copy of it. */
const failed = new Map<string, Failed>();

/**
 * Records the print, which makes it the original or a numbered copy, and puts it on paper. What a
 * printer of the network did not take is tried again as it was.
 * @throws PrintError when the printer did not take it
 */
export async function printSaleReceipt(
  queryClient: QueryClient,
  approve: Approve,
  saleId: string,
): Promise<void> {
  const again = failed.get(saleId);
  const language = getReceiptLanguage(saleId);
  const recorded = again?.receipt ?? (await recordPrint(queryClient, approve, saleId));
  // It may have been chosen since the first try.
  const receipt = { ...recorded, ...(language && { language }) };
  const printId = again?.printId ?? newId();
  const { list } = await queryClient.ensureQueryData(printersQuery()).catch(() => ({ list: [] }));
  const { printed, reason }: Printed = await printReceipt(receipt, list, printId);
  if (printed || reason === "CANCELLED") {
    failed.delete(saleId);
    return;
  }
  failed.set(saleId, { receipt, printId });
  throw new PrintError(reason ?? "FAILED");
}

async function recordPrint(
  queryClient: QueryClient,
  approve: Approve,
  saleId: string,
): Promise<Receipt> {
  const receipt = await sendApproved(approve, saleId, (approvalId) =>
    call(saleOperations.print, {
      params: { saleId },
      query: { approvalId, language: getReceiptLanguage(saleId) },
    }),
  );
  // What is printed is more than may stay on the screen.
  void queryClient.invalidateQueries({ queryKey: saleQuery(saleId).queryKey });
  void queryClient.invalidateQueries({ queryKey: queryKeyOf(saleOperations.list) });
  return receipt;
}
