import { useApproval } from "../../../../lib/approval-context.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import { approveDiscount } from "./approve-discount.ts";
import type { SaleEvent } from "./sale-state.ts";

/**
 * Takes a discount off at once, and asks whether the clerk may, or a colleague who may; at the payment
 * where nobody answers. An Enter that is typed ahead pays when that is known.
 */
export function useDiscount(attempt: Attempt | undefined, dispatch: (event: SaleEvent) => void) {
  const approve = useApproval();
  return async (transactionId: string, discount: number) => {
    const line = attempt?.lines.find((one) => one.transactionId === transactionId);
    if (!attempt || !line) {
      return;
    }
    dispatch({ type: "discounted", transactionId, discount });
    const { offerId, value, price } = line.item;
    const ids = { saleId: attempt.saleId, transactionId, offerId };
    const asked = { ...ids, ...(value && { value }), price, discount };
    dispatch({ type: "discount-asked" });
    try {
      const answer = await approveDiscount(approve, asked);
      if (answer) {
        dispatch({ type: "discount-approved", transactionId, discount, ...answer });
      }
    } catch (error) {
      dispatch({ type: "discount-refused", transactionId, discount, error });
    }
    dispatch({ type: "discount-answered" });
  };
}
