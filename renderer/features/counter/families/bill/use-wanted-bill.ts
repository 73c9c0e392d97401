import { useEffectEvent, useLayoutEffect } from "react";
import type { FamilyContext } from "../interface/family.ts";
import type { BillActions } from "./bill-actions.ts";
import type { BillStep, BillTypes } from "./bill-state.ts";
import type { BillAnswers } from "./use-bill-answers.ts";

/** Chooses what the one field found, as soon as the gateway has listed it: the biller, then its service. */
export function useWantedBill(
  { state, dispatch }: FamilyContext<BillTypes>,
  { billers, services }: BillAnswers,
  { pickService }: BillActions,
): void {
  const { wanted, step } = state;
  const choose = useEffectEvent((open: BillStep) => {
    const biller = billers.data?.list.find(({ brand }) => brand === wanted?.brand);
    const service = services.data?.list.find(({ offerId }) => offerId === wanted?.offerId);
    if (open === "biller" && wanted && biller) {
      dispatch({ type: "biller-picked", biller, home: wanted.country });
    } else if (open === "service" && service) {
      pickService(service);
    } else if (open !== "service" || wanted?.account === undefined) {
      dispatch({ type: "wanted-gone" });
    }
  });
  const isListed = step === "biller" ? billers.data !== undefined : services.data !== undefined;
  useLayoutEffect(() => {
    if (wanted && isListed) {
      choose(step);
    }
  }, [wanted, isListed, step]);
}
