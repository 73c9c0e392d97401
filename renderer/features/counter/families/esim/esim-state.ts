import type { Region } from "../../../../../server/contract/common.ts";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import {
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
} from "../../picker/tiles/picker-state.ts";

export type EsimStep = "place" | "iccid" | "plan" | "device";

export type Destination =
  | { readonly kind: "country"; readonly country: string }
  | {
      readonly kind: "region";
      readonly region: Region;
      /** Country that the clerk searched for. Only the region's plans that cover it are listed. */
      readonly within?: string;
    }
  /** Any place that the brand of an eSIM sold by this shop covers. */
  | { readonly kind: "brand"; readonly brandName: string };

/** The customer's existing eSIM, to which a plan is added. */
export interface OwnEsim {
  readonly iccid: string;
  readonly brand: string;
}

export interface EsimState {
  readonly step: EsimStep;
  readonly places: PickerState;
  readonly place: Destination | undefined;
  readonly plans: PickerState;
  /** Only plans with this much data; undefined for all. */
  readonly dataFilter: string | undefined;
  /** Only plans for this many days; undefined for all. */
  readonly dayFilter: number | undefined;
  readonly plan: PosEsimOffer | undefined;
  readonly iccidText: string;
  /** Undefined if a new eSIM is sold. */
  readonly own: OwnEsim | undefined;
  /** True if the phone shows no EID and therefore does not support eSIM. */
  readonly isUnfit: boolean;
  /** Plan picked in the number field. Set until the gateway has listed the plans. */
  readonly wantedPlan?: string | undefined;
}

export const INITIAL_ESIM: EsimState = {
  step: "place",
  places: NO_PICKER,
  place: undefined,
  plans: NO_PICKER,
  dataFilter: undefined,
  dayFilter: undefined,
  plan: undefined,
  iccidText: "",
  own: undefined,
  isUnfit: false,
};

export type EsimEvent =
  | { readonly type: "places"; readonly event: PickerEvent }
  | { readonly type: "plans"; readonly event: PickerEvent }
  | { readonly type: "place-picked"; readonly place: Destination }
  /**
   * The clerk picked a product in the number field. `offerId` is set if the search matched one
   * offer.
   */
  | { readonly type: "wanted"; readonly place: Destination; readonly offerId: string | undefined }
  | { readonly type: "wanted-gone" }
  | { readonly type: "data-filtered"; readonly data: string | undefined }
  | { readonly type: "days-filtered"; readonly days: number | undefined }
  /**
   * `asksDevice`: the clerk must ask whether the phone supports eSIM before the line is complete.
   */
  | { readonly type: "plan-picked"; readonly plan: PosEsimOffer; readonly asksDevice: boolean }
  | { readonly type: "iccid-opened" }
  | { readonly type: "iccid-begun"; readonly text: string }
  | { readonly type: "iccid-typed"; readonly text: string }
  | { readonly type: "iccid-known"; readonly own: OwnEsim; readonly place: Destination }
  | { readonly type: "device-unfit" }
  | { readonly type: "back" };

export interface EsimTypes {
  readonly state: EsimState;
  readonly event: EsimEvent;
}

/**
 * Composes one eSIM:
 *
 *   place ─► plan ─► device ─► (the line)      a new eSIM; the device is asked once per sale
 *     │       ▲
 *     ▼       │
 *   iccid ────┘  plan ─► (the line)            a plan for an eSIM that this shop sold
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
