import type { PosBill } from "../../../../../server/contract/pos/bills.ts";
import type { PosQuote } from "../../../../../server/contract/pos/quotes.ts";
import type { Fields } from "../../picker/fields/fields-control.ts";
import { pauseOf } from "../../ui/pause.ts";
import type { FamilyContext } from "../interface/family.ts";
import { billActions } from "./bill-actions.ts";
import { type BillTypes, fieldsAsked } from "./bill-state.ts";
import { typedProblem } from "./payment-rules.ts";
import { useBillAnswers } from "./use-bill-answers.ts";
import { useBillChoices } from "./use-bill-choices.ts";
import { useWantedBill } from "./use-wanted-bill.ts";

export type BillPayment = ReturnType<typeof useBill>;

/** The machine of a bill payment joined to the gateway: what it knows and what can be done. */
export function useBill(context: FamilyContext<BillTypes>) {
  const { state, dispatch } = context;
  const answers = useBillAnswers(context);
  const actions = billActions(context, answers);
  const choices = useBillChoices(context, answers, actions);
  useWantedBill(context, answers, actions);
  const { billers, bill, isRetrieved, amount, walletShort } = answers;
  const priced = state.amount.text === "" ? bill.data : amount.quote;
  const fields: Fields = {
    state: state.fields,
    fields: fieldsAsked(state),
    onText: (text) => dispatch({ type: "field-typed", text }),
    onEntered: () => dispatch({ type: "field-entered" }),
  };
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    fields,
    amount,
    bill,
    isRetrieved,
    walletShort,
    /** What the customer pays, fee included: for what is due, or for the amount that was typed instead. */
    pays: priced && { price: priced.price, fee: feeOf(priced) },
    problem: typedProblem(state.offer, bill.data, state.amount.text),
    pause: pauseOf(billers.data?.list.find(({ brand }) => brand === state.biller?.brand)),
  };
}

/**
 * The part of the price over the amount that is paid to the biller, so that both add up on the screen; 0 where the
 * bill is in other money.
 */
function feeOf(priced: PosBill | PosQuote): number {
  const { price, priceCurrency, priceCurrencyDivisor } = priced;
  const { send, sendCurrency, sendCurrencyDivisor } = priced;
  const isSameMoney =
    sendCurrency === priceCurrency && sendCurrencyDivisor === priceCurrencyDivisor;
  return isSameMoney ? Math.max(0, price - send) : 0;
}
