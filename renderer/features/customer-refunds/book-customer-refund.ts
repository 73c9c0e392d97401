import type { CustomerRefundInput } from "../../../server/contract/pos/customer-refunds.ts";
import { saleOperations } from "../../../server/contract/pos/sale-operations.ts";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import type { ShopTender } from "../../../server/contract/pos/shop-tenders.ts";
import { call, isRefusal } from "../../lib/api-client.ts";
import { type Approve, sendApproved } from "../../lib/approval-context.ts";
import { askForDrawer } from "../../lib/drawer-requests.ts";
import { newId } from "../../lib/new-id.ts";
import { opensDrawer } from "../../lib/tender-name.ts";
import { customerRefundIdOf, forgetCustomerRefund } from "./customer-refund-store.ts";

/** Books it by the tenders it came by, or all by this kind, which takes the right to pay out. */
export async function bookCustomerRefund(
  sale: Sale,
  kind: CustomerRefundInput["kind"],
  { approve, tenders }: { approve: Approve; tenders: readonly ShopTender[] | undefined },
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
    const ways = kind ? [{ kind }] : sale.refundTenders;
    if (ways.some((way) => opensDrawer(way, tenders))) {
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
