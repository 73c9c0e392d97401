import type { CustomerRefundInput } from "../../../server/contract/pos/customer-refunds.ts";
import { saleOperations } from "../../../server/contract/pos/sale-operations.ts";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import { call, isRefusal } from "../../lib/api-client.ts";
import { type Approve, sendApproved } from "../../lib/approval-context.ts";
import { askForDrawer } from "../../lib/drawer-requests.ts";
import { newId } from "../../lib/new-id.ts";
import { customerRefundIdOf, forgetCustomerRefund } from "./customer-refund-store.ts";

/** Books it by the tenders it came by, or all by this kind, which takes the right to pay out. */
export async function bookCustomerRefund(
  sale: Sale,
  kind: CustomerRefundInput["kind"],
  approve: Approve,
): Promise<Sale> {
  const lines = sale.lines
    .filter(({ outcome, refunded }) => outcome === "NOT_DELIVERED" && !refunded)
    .map(({ transactionId }) => transactionId);
  const customerRefundId = customerRefundIdOf(sale.saleId, [...lines, kind ?? ""], newId);
  try {
    const booked = await sendApproved(approve, sale.saleId, (approvalId) =>
      call(saleOperations.customerRefund, {
        params: { saleId: sale.saleId },
        body: {
          customerRefundId,
          lines,
          ...(kind && { kind }),
          ...(approvalId && { approvalId }),
        },
      }),
    );
    forgetCustomerRefund(customerRefundId);
    if (kind === "CASH" || sale.refundTenders.some((way) => way.kind === "CASH")) {
      askForDrawer({ reason: "CUSTOMER_REFUND", id: customerRefundId });
    }
    return booked;
  } catch (error) {
    if (isRefusal(error) && error.status !== 403) {
      forgetCustomerRefund(customerRefundId);
    }
    throw error;
  }
}
