import type { PosBill } from "../../../../../server/contract/pos/counter.ts";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { parseAmount } from "../../../../lib/money.ts";

type Rules = Pick<PosBillOffer, "supportsOverpayment" | "supportsUnderpayment">;

export type PaymentRule = "exact" | "orMore" | "orLess" | "any";

export function ruleOf({ supportsOverpayment, supportsUnderpayment }: Rules): PaymentRule {
  if (supportsOverpayment) {
    return supportsUnderpayment ? "any" : "orMore";
  }
  return supportsUnderpayment ? "orLess" : "exact";
}

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

/** Returns the problem of the typed amount; undefined while the amount or the bill is missing. */
export function typedProblem(rules: Rules | undefined, bill: PosBill | undefined, text: string) {
  const typed = bill && parseAmount(text, bill.sendCurrencyDivisor);
  return rules && bill && typed !== undefined ? paymentProblem(rules, bill, typed) : undefined;
}
