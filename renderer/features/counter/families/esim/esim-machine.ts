import { NO_PICKER, pickerReducer } from "../../picker/tiles/picker-state.ts";
import { type EsimEvent, type EsimState, INITIAL_ESIM } from "./esim-state.ts";

/**
 * Composes one eSIM:
 *
 *   place ─► plan ─► device ─► (the line)      a new eSIM; the device is asked once in a sale
 *     │       ▲
 *     ▼       │
 *   iccid ────┘  plan ─► (the line)            a plan for an eSIM that was sold here
 */
export function esimReducer(state: EsimState, event: EsimEvent): EsimState {
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
