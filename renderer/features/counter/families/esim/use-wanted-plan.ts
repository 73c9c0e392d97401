import { useEffectEvent, useLayoutEffect } from "react";
import type { FamilyContext } from "../interface/family.ts";
import type { EsimActions } from "./esim-actions.ts";
import type { EsimTypes } from "./esim-state.ts";
import type { EsimAnswers } from "./use-esim-answers.ts";

/** Chooses the plan that the one field found, as soon as the gateway has listed those of its place. */
export function useWantedPlan(
  { state, dispatch }: FamilyContext<EsimTypes>,
  { offers, wallet }: EsimAnswers,
  { pickPlan }: EsimActions,
): void {
  const { wantedPlan, step } = state;
  const choose = useEffectEvent(() => {
    const plan = offers.data?.list.find(({ offerId }) => offerId === wantedPlan);
    dispatch({ type: "wanted-gone" });
    if (plan && step === "plan" && !wallet.cannotPay(plan)) {
      pickPlan(plan);
    }
  });
  const isListed = offers.data !== undefined;
  useLayoutEffect(() => {
    if (wantedPlan !== undefined && isListed) {
      choose();
    }
  }, [wantedPlan, isListed]);
}
