import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { VoucherTypes } from "./voucher-state.ts";

export type VoucherAnswers = ReturnType<typeof useVoucherAnswers>;

/** What the gateway is asked while a voucher is composed, and what it has answered so far. */
export function useVoucherAnswers({ state, dispatch, isOpen }: FamilyContext<VoucherTypes>) {
  const language = useTranslation().i18n.language;
  const { brand, country } = state;
  const place = brand && country !== "" ? { brand: brand.brand, country } : undefined;
  return {
    brands: useQuery(brandsQuery("VOUCHER", isOpen)),
    offers: useQuery(offersOfQuery("VOUCHER", place, language)),
    amount: useAmount(state.offer, state.amount, dispatch),
    wallet: useWalletReach(),
  };
}
