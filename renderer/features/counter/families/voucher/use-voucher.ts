import type { Fields } from "../../picker/fields/fields-control.ts";
import { pauseOf } from "../../ui/pause.ts";
import { promosOn } from "../../ui/promos-on.ts";
import type { FamilyContext } from "../interface/family.ts";
import { useVoucherAnswers } from "./use-voucher-answers.ts";
import { useVoucherChoices } from "./use-voucher-choices.ts";
import { useWantedVoucher } from "./use-wanted-voucher.ts";
import { voucherActions } from "./voucher-actions.ts";
import { fieldsAsked, type VoucherTypes } from "./voucher-state.ts";

export type Voucher = ReturnType<typeof useVoucher>;

/** The machine of a voucher joined to the gateway: what it knows and what can be done. */
export function useVoucher(context: FamilyContext<VoucherTypes>) {
  const { state, dispatch } = context;
  const answers = useVoucherAnswers(context);
  const actions = voucherActions(context);
  const choices = useVoucherChoices(context, answers, actions);
  useWantedVoucher(context, answers, actions);
  const { brands, offers, amount } = answers;
  const fields: Fields = {
    state: state.fields,
    fields: fieldsAsked(state),
    onText: (text) => dispatch({ type: "field-typed", text }),
    onEntered: actions.enterField,
  };
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    promosOn: promosOn(offers.data),
    amount,
    fields,
    pause: pauseOf(brands.data?.list.find(({ brand }) => brand === state.brand?.brand)),
  };
}
