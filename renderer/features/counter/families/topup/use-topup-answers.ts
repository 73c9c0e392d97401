import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { recentsQuery } from "../../api/counter-queries.ts";
import { favouritesQuery } from "../../api/favourite-queries.ts";
import { offersOfQuery } from "../../api/offer-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import type { FamilyContext } from "../interface/family.ts";
import { currentBrand, type TopupTypes } from "./topup-state.ts";
import { useSaleNumber } from "./use-sale-number.ts";
import { useTypedPhone } from "./use-typed-phone.ts";

export type TopupAnswers = ReturnType<typeof useTopupAnswers>;

/** What the gateway is asked while a top-up is composed, and what it has answered so far. */
export function useTopupAnswers(context: FamilyContext<TopupTypes>) {
  const { state, dispatch } = context;
  const language = useTranslation().i18n.language;
  const country = state.phone?.country ?? "";
  const brand = currentBrand(state)?.brand;
  const place = country !== "" && brand !== undefined ? { brand, country } : undefined;
  return {
    ...useTypedPhone(context),
    offers: useQuery(offersOfQuery("TOPUP", place, language)),
    recents: useQuery(recentsQuery()),
    favourites: useQuery(favouritesQuery()),
    amount: useAmount(state.amountOffer, state.amount, dispatch),
    wallet: useWalletReach(),
    numbered: useSaleNumber(state),
  };
}
