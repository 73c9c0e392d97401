import type { PosBill } from "../../../../../server/contract/pos/counter.ts";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { parseAmount } from "../../../../lib/money.ts";

type Rules = Pick<PosBillOffer, "supportsOverpayment" | "supportsUnderpayment">;

export type PaymentRule = "exact" | "orMore" | "orLess" | "any";

/** How much of a bill the biller accepts. */
export function ruleOf({ supportsOverpayment, supportsUnderpayment }: Rules): PaymentRule {
  if (supportsOverpayment) {
    return supportsUnderpayment ? "any" : "orMore";
  }
  return supportsUnderpayment ? "orLess" : "exact";
}

/** Why an amount is not accepted for a bill; undefined when it is. */
function paymentProblem(
  rules: Rules,
  bill: Pick<PosBill, "send">,
  send: number,
): "over" | "under" | undefined {
  if (send > bill.send && !rules.supportsOverpayment) {
    return "over";
  }
  return send < bill.send && !rules.supportsUnderpayment ? "under" : undefined;
}

/** Why the typed amount is not accepted for the bill; undefined while either is not known. */
export function typedProblem(rules: Rules | undefined, bill: PosBill | undefined, text: string) {
  const typed = bill && parseAmount(text, bill.sendCurrencyDivisor);
  return rules && bill && typed !== undefined ? paymentProblem(rules, bill, typed) : undefined;
}
