import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PlaceWords } from "../../../../lib/destination.ts";
import type { FamilyContext } from "../interface/family.ts";
import { itemOfPlan } from "./esim-item.ts";
import { nameOfPlace } from "./esim-places.ts";
import type { EsimTypes } from "./esim-state.ts";
import type { PlanWords } from "./plan-words.ts";
import type { EsimAnswers } from "./use-esim-answers.ts";

/** How a plan and the place where it works are named. */
export interface EsimWords {
  readonly places: PlaceWords;
  readonly plans: PlanWords;
}

export type EsimActions = ReturnType<typeof esimActions>;

/** What the steps of an eSIM do, beyond what its machine does alone: they complete the line. */
export function esimActions(
  { state, dispatch, compose, items }: FamilyContext<EsimTypes>,
  { held, pauseOfBrand }: EsimAnswers,
  words: EsimWords,
) {
  const { place, own } = state;

  function finish(plan: PosEsimOffer) {
    compose(
      itemOfPlan(plan, {
        title: words.plans.title(plan),
        place: place ? nameOfPlace(place, words.places) : "",
        own,
      }),
    );
  }

  return {
    pickPlan: (plan: PosEsimOffer) => {
      if (pauseOfBrand(plan.brand)?.byHand) {
        return;
      }
      // With another new eSIM in the sale, the phone was asked about already.
      const deviceAsked = items.some(
        (item) => item.place !== undefined && item.iccid === undefined,
      );
      const asksDevice = own === undefined && !deviceAsked;
      dispatch({ type: "plan-picked", plan, asksDevice });
      if (!asksDevice) {
        finish(plan);
      }
    },
    /** On to the plans that fit the eSIM of the typed ICCID. */
    enterIccid: () => {
      if (held.data) {
        const { iccid, brand, brandName, country } = held.data;
        dispatch({
          type: "iccid-known",
          own: { iccid, brand },
          place: country ? { kind: "country", country } : { kind: "brand", brandName },
        });
      }
    },
    /** The clerk confirms that the phone shows an EID. */
    confirmDevice: () => {
      if (state.plan && !state.isUnfit) {
        finish(state.plan);
      }
    },
  };
}
