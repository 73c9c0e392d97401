import { useMemo } from "react";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import type { Picker } from "../../picker/tiles/picker-control.ts";
import { usePickerView } from "../../picker/tiles/use-picker-view.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { EsimActions, EsimWords } from "./esim-actions.ts";
import { foundBy, type Place, placeTiles } from "./esim-places.ts";
import type { EsimTypes } from "./esim-state.ts";
import { dataChoices, dayChoices, filterPlans } from "./plan-filters.ts";
import type { EsimAnswers } from "./use-esim-answers.ts";

const NO_PLANS: readonly PosEsimOffer[] = [];

/** What there is to choose from in the steps of an eSIM. */
export function useEsimChoices(
  { state, dispatch }: FamilyContext<EsimTypes>,
  { destinations, offers, wallet }: EsimAnswers,
  { pickPlan }: EsimActions,
  { places, plans }: EsimWords,
) {
  const { place, dataFilter, dayFilter } = state;

  const placesShown = useMemo(
    () => placeTiles(destinations.data, places),
    [destinations.data, places],
  );
  const placePicker: Picker<Place> = {
    source: destinations,
    state: state.places,
    view: usePickerView(placesShown, state.places),
    dispatch: (event) => dispatch({ type: "places", event }),
    onPick: (picked) =>
      dispatch({ type: "place-picked", place: foundBy(picked, state.places.query, places) }),
  };

  const within = place?.kind === "region" ? place.within : undefined;
  const all = useMemo(
    () => plansWithin(offers.data?.list ?? NO_PLANS, within),
    [offers.data, within],
  );
  const plansShown = useMemo(
    () =>
      filterPlans(all, { dataFilter, dayFilter }).map((plan) => ({
        id: plan.offerId,
        name: plans.title(plan),
        item: plan,
      })),
    [all, dataFilter, dayFilter, plans],
  );
  const planPicker: Picker<PosEsimOffer> = {
    source: offers,
    state: state.plans,
    view: usePickerView(plansShown, state.plans),
    dispatch: (event) => dispatch({ type: "plans", event }),
    cannotPay: wallet.cannotPay,
    onPick: pickPlan,
  };

  return { placePicker, planPicker, dataChoices: dataChoices(all), dayChoices: dayChoices(all) };
}

function plansWithin(plans: readonly PosEsimOffer[], country: string | undefined) {
  return country === undefined ? plans : plans.filter(({ roaming }) => roaming.includes(country));
}
