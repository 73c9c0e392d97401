import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PosQuote } from "../../../../../server/contract/pos/quotes.ts";
import { fieldProblem } from "../../picker/fields/field-rules.ts";
import { NO_FIELDS } from "../../picker/fields/fields-state.ts";
import type { FamilyContext } from "../interface/family.ts";
import { itemOfVoucher } from "./voucher-item.ts";
import { fieldsAsked, type VoucherState, type VoucherTypes } from "./voucher-state.ts";

export type VoucherActions = ReturnType<typeof voucherActions>;

/** What the steps of a voucher do, beyond what its machine does alone: they complete the line. */
export function voucherActions({ state, dispatch, compose }: FamilyContext<VoucherTypes>) {
  const asked = fieldsAsked(state);

  function finish(offer: PosVoucherOffer, rest: Pick<VoucherState, "quote" | "fields">) {
    const item = itemOfVoucher(offer, rest);
    if (item) {
      compose(item);
    }
  }

  return {
    pickOffer: (offer: PosVoucherOffer) => {
      dispatch({ type: "offer-picked", offer });
      if (offer.priceType === "FIXED" && offer.requiredFields.length === 0) {
        finish(offer, { quote: undefined, fields: NO_FIELDS });
      }
    },
    enterAmount: (quote: PosQuote) => {
      dispatch({ type: "amount-entered", quote });
      if (state.offer && asked.length === 0) {
        finish(state.offer, { ...state, quote });
      }
    },
    enterField: () => {
      const { offer } = state;
      const isLast = state.fields.index === asked.length - 1;
      const isComplete = asked.every(
        (field) => fieldProblem(field, state.fields.texts[field.key] ?? "") === undefined,
      );
      if (offer && isLast && isComplete) {
        finish(offer, state);
      } else {
        dispatch({ type: "field-entered" });
      }
    },
  };
}
