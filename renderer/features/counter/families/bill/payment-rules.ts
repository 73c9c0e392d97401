import type { PosBill } from "../../../../../server/contract/pos/bills.ts";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";

type Rules = Pick<PosBillOffer, "supportsOverpayment" | "supportsUnderpayment">;

export type PaymentRule = "exact" | "orMore" | "orLess" | "any";

/** What of a bill the biller lets pay. */
export function ruleOf({ supportsOverpayment, supportsUnderpayment }: Rules): PaymentRule {
  if (supportsOverpayment) {
    return supportsUnderpayment ? "any" : "orMore";
  }
  return supportsUnderpayment ? "orLess" : "exact";
}

/** Why an amount that would arrive is not taken for a bill; undefined when it is. */
export function paymentProblem(
  rules: Rules,
  bill: Pick<PosBill, "send">,
  send: number,
): "over" | "under" | undefined {
  if (send > bill.send && !rules.supportsOverpayment) {
    return "over";
  }
  return send < bill.send && !rules.supportsUnderpayment ? "under" : undefined;
}
