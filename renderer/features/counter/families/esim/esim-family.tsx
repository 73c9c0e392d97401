import { IconDeviceSim } from "@tabler/icons-react";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { isFreshPicker, NO_PICKER, pickerReducer } from "../../picker/tiles/picker-state.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import { isAwaited } from "../../ui/asked.ts";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { type EsimEvent, type EsimState, type EsimTypes, INITIAL_ESIM } from "./esim-state.ts";
import { EsimSteps } from "./esim-steps.tsx";
import { iccidDigits, iccidProblem } from "./iccid.ts";
import { nextChoice } from "./plan-filters.ts";
import { type Esim, useEsim } from "./use-esim.ts";

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

export const esimFamily: FamilyPlugin<EsimTypes> = {
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

export function esimControl(esim: Esim, { t }: StepWords): StepControl {
  const { state, dispatch } = esim;
  switch (state.step) {
    case "place":
      return pickerControl(esim.placePicker, { choose: t("counter.next.place"), t }, true);
    case "plan":
      return {
        ...pickerControl(esim.planPicker, { choose: t("counter.next.plan"), t }, false),
        letter: (letter) => {
          if (letter === "g") {
            dispatch({
              type: "data-filtered",
              data: nextChoice(esim.dataChoices, state.dataFilter),
            });
          } else if (letter === "d") {
            dispatch({
              type: "days-filtered",
              days: nextChoice(esim.dayChoices, state.dayFilter),
            });
          }
        },
      };
    case "iccid":
      return {
        typing: "digits",
        next: {
          label: t("counter.next.plans"),
          ready: esim.held.data !== undefined,
          ...(state.iccidText === "" && { missing: t("counter.needed.field") }),
        },
        ...(isAwaited(esim.held) && { waits: "here" }),
        proceed: esim.enterIccid,
        type: (edit) => dispatch({ type: "iccid-typed", text: iccidDigits(edit(state.iccidText)) }),
      };
    case "device":
      return {
        typing: "none",
        next: {
          label: t("counter.esim.deviceYes"),
          ready: !state.isUnfit,
          missing: t("counter.esim.deviceTitle"),
        },
        proceed: esim.confirmDevice,
        letter: (letter) => {
          if (letter === "n") {
            dispatch({ type: "device-unfit" });
          }
        },
      };
  }
}

/**
 * Composes one eSIM:
 *
 *   place ─► plan ─► device ─► (the line)      a new eSIM; the device is asked once per sale
 *     │       ▲
 *     ▼       │
 *   iccid ────┘  plan ─► (the line)            a plan for an eSIM that this shop sold
 */
function esimReducer(state: EsimState, event: EsimEvent): EsimState {
  switch (event.type) {
    case "places":
      return { ...state, places: pickerReducer(state.places, event.event) };
    case "plans":
      return { ...state, plans: pickerReducer(state.plans, event.event) };
    case "place-picked":
      return openPlans({ ...state, own: undefined, place: event.place });
    case "wanted":
      return { ...openPlans({ ...INITIAL_ESIM, place: event.place }), wantedPlan: event.offerId };
    case "wanted-gone":
      return { ...state, wantedPlan: undefined };
    case "iccid-begun":
      return { ...INITIAL_ESIM, step: "iccid", iccidText: event.text };
    case "data-filtered":
      return { ...state, plans: NO_PICKER, dataFilter: event.data };
    case "days-filtered":
      return { ...state, plans: NO_PICKER, dayFilter: event.days };
    case "plan-picked":
      return event.asksDevice
        ? { ...state, step: "device", plan: event.plan, isUnfit: false, wantedPlan: undefined }
        : { ...state, plan: event.plan, wantedPlan: undefined };
    case "iccid-opened":
      return state.step === "place" ? { ...state, step: "iccid", iccidText: "" } : state;
    case "iccid-typed":
      return { ...state, iccidText: event.text };
    case "iccid-known":
      return state.step === "iccid"
        ? openPlans({ ...state, own: event.own, place: event.place })
        : state;
    case "device-unfit":
      return state.step === "device" ? { ...state, isUnfit: true } : state;
    case "back":
      return back({ ...state, wantedPlan: undefined });
  }
}

function openPlans(state: EsimState): EsimState {
  return { ...state, step: "plan", plans: NO_PICKER, dataFilter: undefined, dayFilter: undefined };
}

function back(state: EsimState): EsimState {
  switch (state.step) {
    case "place":
      return INITIAL_ESIM;
    case "iccid":
      return { ...state, step: "place", iccidText: "", own: undefined };
    case "plan":
      return { ...state, step: state.own ? "iccid" : "place", plan: undefined };
    case "device":
      return { ...state, step: "plan", plan: undefined, isUnfit: false };
  }
}
