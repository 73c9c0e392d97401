import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CustomerRefundInput, Sale } from "../../server/contract/pos/sales.ts";
import { useBookCustomerRefund } from "../lib/customer-refund.ts";
import { putSale } from "../lib/pos-queries.ts";
import { useFormat } from "../lib/use-format.ts";
import { CustomerRefundAction } from "./customer-refund-action.tsx";
import { Trouble } from "./notice.tsx";

interface CustomerRefundButtonProps {
  readonly sale: Sale;
  readonly hasKey?: boolean;
  readonly isSecond?: boolean;
}

/** Books a customer refund of the lines that were not delivered. Key: Alt+G. */
export function CustomerRefundButton({
  sale,
  hasKey = true,
  isSecond = false,
}: CustomerRefundButtonProps) {
  const format = useFormat();
  const queryClient = useQueryClient();
  const book = useBookCustomerRefund();
  const booking = useMutation({
    mutationFn: (kind?: CustomerRefundInput["kind"]) => book(sale, kind),
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
        isSecond={isSecond}
        disabled={booking.isPending}
        ways={sale.refundTenders}
        money={money}
        onGive={() => booking.mutate(undefined)}
        onGiveInCash={() => booking.mutate("CASH")}
      />
      <Trouble error={booking.error} />
    </>
  );
}
