import { pauseOf } from "../../ui/pause.ts";
import { promosOn } from "../../ui/promos-on.ts";
import type { FamilyContext } from "../interface/family.ts";
import { topupActions } from "./topup-actions.ts";
import { currentBrand, type TopupTypes } from "./topup-state.ts";
import { useCarrierMemory } from "./use-carrier-memory.ts";
import { useTopupAnswers } from "./use-topup-answers.ts";
import { useTopupChoices } from "./use-topup-choices.ts";

export type Topup = ReturnType<typeof useTopup>;

/** The machine of a top-up joined to the gateway: what it knows and what can be done. */
export function useTopup(context: FamilyContext<TopupTypes>) {
  const { state, dispatch, till } = context;
  const answers = useTopupAnswers(context);
  const actions = topupActions(context, answers, useCarrierMemory());
  const choices = useTopupChoices(context, answers);
  const { phone, phoneFailed, phoneAway, offers, amount, wallet } = answers;
  const brand = currentBrand(state);
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    /** ISO 3166-1 alpha-2; empty when it is not known. */
    homeCountry: till.country,
    numbered: answers.numbered,
    phone,
    phoneFailed,
    phoneAway,
    brand,
    offers,
    promosOn: promosOn(offers.data),
    amount,
    /** The wallet cannot pay for it: it is shown, and picking it tells why it is not sold. */
    cannotPay: wallet.cannotPay,
    /** What a wallet that is low can pay for. */
    walletShort: wallet.short,
    pause: pauseOf(phone?.brands.find((one) => one.brand === brand?.brand)),
  };
}
