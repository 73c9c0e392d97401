import { IconDeviceSim } from "@tabler/icons-react";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import { isFreshPicker } from "../../picker/tiles/picker-state.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { esimControl } from "./esim-control.ts";
import { esimReducer } from "./esim-machine.ts";
import { type EsimTypes, INITIAL_ESIM } from "./esim-state.ts";
import { EsimSteps } from "./esim-steps.tsx";
import { iccidDigits, iccidProblem } from "./iccid.ts";
import { useEsim } from "./use-esim.ts";

const line: LineDetails = {
  headOf: ({ iccid, place = "" }, t) =>
    iccid ? groupOfFour(iccid) : t("counter.esim.newFor", { place }),
};

function useOpenEsim(context: FamilyContext<EsimTypes>): OpenFamily {
  const { state, dispatch, till, words, undo } = context;
  const esim = useEsim(context);
  return {
    control: esimControl(esim, words),
    pause: state.step === "plan" || state.step === "device" ? esim.pause : undefined,
    openOwn: () => dispatch({ type: "iccid-opened" }),
    steps: (control) => <EsimSteps esim={esim} till={till} control={control} onUndo={undo} />,
  };
}

/** Data abroad: the place first. */
export const esimFamily: FamilyPlugin<EsimTypes> = {
  key: "F3",
  sell: "esim",
  Icon: IconDeviceSim,
  initial: INITIAL_ESIM,
  reduce: esimReducer,
  back: (state) => esimReducer(state, { type: "back" }),
  isUntouched: ({ step, places }) => step === "place" && isFreshPicker(places),
  underArrows: ({ step, places, plans }) => (step === "place" ? places : plans).focused,
  typed: ({ places, plans, iccidText }) => [places, plans, iccidText],
  restored: () => INITIAL_ESIM,
  prefill: ({ find = "" }) => ({ type: "places", event: { type: "query-typed", text: find } }),
  opens: ({ country, region, offer }) => ({
    type: "wanted",
    place: region === undefined ? { kind: "country", country } : { kind: "region", region },
    offerId: offer?.offerId,
  }),
  reads: (text) => {
    const digits = iccidDigits(text);
    const isOne = /^[\d\s]+F?$/i.test(text) && iccidProblem(digits) === undefined;
    return isOne ? { type: "iccid-begun", text: digits } : undefined;
  },
  wishFor: ({ brandName, place }) => ({ find: place || brandName }),
  useOpen: useOpenEsim,
  line,
};
