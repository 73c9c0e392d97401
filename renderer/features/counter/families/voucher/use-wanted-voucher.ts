import { useEffectEvent, useLayoutEffect } from "react";
import { pauseOf } from "../../ui/pause.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { VoucherAnswers } from "./use-voucher-answers.ts";
import type { VoucherActions } from "./voucher-actions.ts";
import type { VoucherStep, VoucherTypes } from "./voucher-state.ts";

/** Chooses what the one field found, as soon as the gateway has listed it: the brand, then its card. */
export function useWantedVoucher(
  { state, dispatch }: FamilyContext<VoucherTypes>,
  { brands, offers, wallet }: VoucherAnswers,
  { pickOffer }: VoucherActions,
): void {
  const { wanted, step } = state;
  const listed = { brand: brands.data, offer: offers.data, country: [], amount: [], field: [] }[
    step
  ];
  const choose = useEffectEvent((open: VoucherStep) => {
    const brand = brands.data?.list.find((one) => one.brand === wanted?.brand);
    const isPaused = pauseOf(brand)?.byHand ?? false;
    const offer = offers.data?.list.find(({ offerId }) => offerId === wanted?.offerId);
    if (open === "brand" && wanted && brand) {
      dispatch({ type: "brand-picked", brand, home: wanted.country });
    } else if (open === "offer" && offer && !wallet.cannotPay(offer) && !isPaused) {
      pickOffer(offer);
    } else {
      dispatch({ type: "wanted-gone" });
    }
  });
  const isListed = listed !== undefined;
  useLayoutEffect(() => {
    if (wanted && isListed) {
      choose(step);
    }
  }, [wanted, isListed, step]);
}
