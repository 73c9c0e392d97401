import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { amountsOf } from "../../picker/amount/amount-state.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { FamilyContext } from "../interface/family.ts";
import { itemOfBill } from "./bill-item.ts";
import type { BillTypes } from "./bill-state.ts";
import { typedProblem } from "./payment-rules.ts";
import type { BillAnswers } from "./use-bill-answers.ts";

export type BillActions = ReturnType<typeof billActions>;

/** What the steps of a bill payment do, beyond what its machine does alone: they complete the line. */
export function billActions(
  { state, dispatch, compose }: FamilyContext<BillTypes>,
  { services, bill, amount, walletShort }: BillAnswers,
) {
  const { offer } = state;
  const { text } = state.amount;

  function finish(amounts: Pick<LineItem, "value" | "price" | "send">) {
    if (offer) {
      compose(itemOfBill(offer, state.fields, amounts, bill.data));
    }
  }

  return {
    pickService: (service: PosBillOffer) => {
      const [_, ...others] = services.data?.list ?? [];
      dispatch({ type: "service-picked", offer: service, isOnly: others.length === 0 });
    },
    /** Pays what is due, or the amount that was typed instead. */
    enterAmount: () => {
      const { quote } = amount;
      if (walletShort) {
        return;
      }
      if (text === "" && bill.data) {
        const { value, price, send } = bill.data;
        finish({ ...(value && { value }), price, send });
      } else if (quote && !typedProblem(offer, bill.data, text)) {
        finish(amountsOf(quote));
      }
    },
  };
}
