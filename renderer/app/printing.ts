import type { QueryClient } from "@tanstack/react-query";
import type { Receipt } from "../../server/contract/pos/sales.ts";
import { type Approve, sendApproved } from "../components/approval/approval-context.ts";
import { printReceipt } from "../features/receipts/index.ts";
import { putSaleIntoLists, salesListsKey } from "../features/today/api/today-queries.ts";
import { request } from "../lib/api-client.ts";
import { putSale } from "../lib/pos-queries.ts";

/**
 * Records the print, which makes it the original or a numbered copy, and puts it on paper.
 * @throws when the printer did not take it; the print stays recorded, so the next is a copy.
 */
export async function printSaleReceipt(
  queryClient: QueryClient,
  approve: Approve,
  saleId: string,
): Promise<void> {
  const receipt = await sendApproved(approve, saleId, (approvalId) =>
    request<Receipt>("POST", `/pos/sales/${saleId}/prints`, { query: { approvalId } }),
  );
  putSale(queryClient, receipt.sale);
  queryClient.setQueriesData({ queryKey: salesListsKey }, putSaleIntoLists(receipt.sale));
  const { printed, reason } = await printReceipt(receipt);
  if (!printed && reason !== "CANCELLED") throw new Error(`the receipt was not printed: ${reason}`);
}
