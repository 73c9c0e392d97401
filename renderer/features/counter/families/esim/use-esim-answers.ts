import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  brandsQuery,
  destinationsQuery,
  esimQuery,
  offersOfQuery,
} from "../../api/offer-queries.ts";
import { type Pause, pauseOf } from "../../ui/pause.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import type { FamilyContext } from "../interface/family.ts";
import { queryOfPlace } from "./esim-places.ts";
import type { EsimTypes } from "./esim-state.ts";
import { iccidProblem } from "./iccid.ts";

export type EsimAnswers = ReturnType<typeof useEsimAnswers>;

/** What the gateway is asked while an eSIM is composed, and what it has answered so far. */
export function useEsimAnswers({ state, isOpen }: FamilyContext<EsimTypes>) {
  const language = useTranslation().i18n.language;
  const { place, own, iccidText } = state;
  const brands = useQuery(brandsQuery("ESIM", isOpen));
  const wanted = place && { ...queryOfPlace(place), ...(own && { brand: own.brand }) };
  const iccidIsWhole = iccidProblem(iccidText) === undefined;
  return {
    destinations: useQuery(destinationsQuery(isOpen)),
    offers: useQuery(offersOfQuery("ESIM", wanted, language)),
    /** The eSIM of the typed ICCID, as it was sold here. */
    held: useQuery(esimQuery(iccidIsWhole ? iccidText : undefined)),
    wallet: useWalletReach(),
    pauseOfBrand: (brand: string | undefined): Pause | undefined =>
      pauseOf(brands.data?.list.find((one) => one.brand === brand)),
  };
}
