import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CustomerRefundInput } from "../../../server/contract/pos/customer-refunds.ts";
import { saleOperations } from "../../../server/contract/pos/sale-operations.ts";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import { call, isRefusal } from "../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../lib/approval-context.ts";
import { askForDrawer } from "../../lib/drawer-requests.ts";
import { errorWords } from "../../lib/error-words.ts";
import { newId } from "../../lib/new-id.ts";
import { putSale } from "../../lib/pos-queries.ts";
import { useFormat } from "../../lib/use-format.ts";
import { ErrorNotice } from "../notice.tsx";
import { CustomerRefundAction } from "./customer-refund-action.tsx";
import { customerRefundIdOf, forgetCustomerRefund } from "./customer-refund-store.ts";

interface CustomerRefundButtonProps {
  readonly sale: Sale;
  /** Whether Alt+G presses this button: one on a screen has it. */
  readonly hasKey?: boolean;
}

/** Books a customer refund of what was not delivered; Alt+G does the same. */
export function CustomerRefundButton({ sale, hasKey = true }: CustomerRefundButtonProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const approve = useApproval();
  const booking = useMutation({
    mutationFn: (kind?: CustomerRefundInput["kind"]) => bookCustomerRefund(sale, kind, approve),
    onSuccess: (booked) => putSale(queryClient, booked),
  });
  if (sale.refundDue === 0) {
    return null;
  }
  const money = (minor: number) => format.money(minor, sale.currency, sale.currencyDivisor);
  return (
    <>
      <CustomerRefundAction
        amount={money(sale.refundDue)}
        hasKey={hasKey}
        disabled={booking.isPending}
        ways={sale.refundTenders}
        money={money}
        onGive={() => booking.mutate(undefined)}
        onGiveInCash={() => booking.mutate("CASH")}
      />
      {booking.error ? <ErrorNotice words={errorWords(booking.error, t, format)} /> : null}
    </>
  );
}

/** Books it by the tenders it came by, or all by this kind, which takes the right to pay out. */
async function bookCustomerRefund(
  sale: Sale,
  kind: CustomerRefundInput["kind"],
  approve: ReturnType<typeof useApproval>,
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
          ...(kind ? { kind } : {}),
          ...(approvalId ? { approvalId } : {}),
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
