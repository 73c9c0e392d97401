import { usePlaceWords } from "../../../../lib/use-place-words.ts";
import { promosOn } from "../../ui/promos-on.ts";
import type { FamilyContext } from "../interface/family.ts";
import { type EsimWords, esimActions } from "./esim-actions.ts";
import { nameOfPlace } from "./esim-places.ts";
import type { Destination, EsimTypes } from "./esim-state.ts";
import { usePlanWords } from "./plan-words.ts";
import { useEsimAnswers } from "./use-esim-answers.ts";
import { useEsimChoices } from "./use-esim-choices.ts";
import { useWantedPlan } from "./use-wanted-plan.ts";

export type Esim = ReturnType<typeof useEsim>;

/** The machine of an eSIM joined to the gateway: what it knows and what can be done. */
export function useEsim(context: FamilyContext<EsimTypes>) {
  const { state, dispatch } = context;
  const words: EsimWords = { places: usePlaceWords(), plans: usePlanWords() };
  const answers = useEsimAnswers(context);
  const actions = esimActions(context, answers, words);
  const choices = useEsimChoices(context, answers, actions, words);
  useWantedPlan(context, answers, actions);
  const { offers, held, pauseOfBrand } = answers;
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    promosOn: promosOn(offers.data),
    nameOf: (place: Destination) => nameOfPlace(place, words.places),
    held,
    /** Of the plan that was picked, or is under the arrow keys. */
    pause: pauseOfBrand((state.plan ?? choices.planPicker.view.chosen?.item)?.brand),
    pauseOfBrand,
  };
}
