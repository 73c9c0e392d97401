import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { billQuery, brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { useWalletReach, useWalletShort } from "../../ui/use-wallet-reach.ts";
import type { FamilyContext } from "../interface/family.ts";
import { billAsked } from "./bill-item.ts";
import type { BillTypes } from "./bill-state.ts";

export type BillAnswers = ReturnType<typeof useBillAnswers>;

/** What the gateway is asked while a bill payment is composed, and what it has answered so far. */
export function useBillAnswers(context: FamilyContext<BillTypes>) {
  const { state, dispatch, isOpen } = context;
  const language = useTranslation().i18n.language;
  const { biller, country, offer } = state;
  const place = biller && country !== "" ? { brand: biller.brand, country } : undefined;
  const services = useQuery(offersOfQuery("BILL_PAY", place, language));
  useOnlyService(context, services.data?.list ?? []);
  const isPaying = state.step === "amount";
  const isRetrieved = isPaying && offer?.supportsBillRetrieval === true;
  const bill = useQuery(billQuery(isRetrieved ? billAsked(offer, state.fields) : undefined));
  const ranged = isPaying && offer?.priceType === "RANGE" ? offer : undefined;
  const amount = useAmount(ranged, state.amount, dispatch);
  const dueShort = useWalletShort(bill.data ? [paidLine(bill.data)] : []);
  return {
    billers: useQuery(brandsQuery("BILL_PAY", isOpen)),
    services,
    /** What is due, where the biller can be asked. */
    bill,
    isRetrieved,
    amount,
    wallet: useWalletReach(),
    /** What the wallet can pay for, where it cannot pay for what is due or was typed instead. */
    walletShort: state.amount.text === "" ? dueShort : amount.walletShort,
  };
}

/** A biller with one service only is not asked for it. */
function useOnlyService(
  { state, dispatch }: FamilyContext<BillTypes>,
  [only, ...others]: readonly PosBillOffer[],
): void {
  const take = useEffectEvent((offer: PosBillOffer) =>
    dispatch({ type: "service-picked", offer, isOnly: true }),
  );
  const onlyService = state.step === "service" && others.length === 0 ? only : undefined;
  useEffect(() => {
    if (onlyService) {
      take(onlyService);
    }
  }, [onlyService]);
}
