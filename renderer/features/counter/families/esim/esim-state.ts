import type { Region } from "../../../../../server/contract/common.ts";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import { NO_PICKER, type PickerEvent, type PickerState } from "../../picker/tiles/picker-state.ts";

/** How far an eSIM is composed; `esim-family.tsx` says how it moves. */
export type EsimStep = "place" | "iccid" | "plan" | "device";

/** Where a plan is to work. */
export type Destination =
  | { readonly kind: "country"; readonly country: string }
  | {
      readonly kind: "region";
      readonly region: Region;
      /** It was found by a country: its plans that work there, since not all of a region's do. */
      readonly within?: string;
    }
  /** Wherever the brand of an eSIM that was sold here works. */
  | { readonly kind: "brand"; readonly brandName: string };

/** The eSIM a plan is added to. */
export interface OwnEsim {
  readonly iccid: string;
  readonly brand: string;
}

export interface EsimState {
  readonly step: EsimStep;
  readonly places: PickerState;
  readonly place: Destination | undefined;
  readonly plans: PickerState;
  /** Only plans with this much data; undefined is all. */
  readonly dataFilter: string | undefined;
  /** Only plans of so many days; undefined is all. */
  readonly dayFilter: number | undefined;
  readonly plan: PosEsimOffer | undefined;
  /** What was typed or scanned. */
  readonly iccidText: string;
  /** Absent for a new eSIM. */
  readonly own: OwnEsim | undefined;
  /** The phone shows no EID: it cannot take an eSIM. */
  readonly isUnfit: boolean;
  /** The plan that the one field found, until it is chosen here. */
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
  /** What the one field found: its place, and the offer where there was one. */
  | { readonly type: "wanted"; readonly place: Destination; readonly offerId: string | undefined }
  /** It is not sold any more. */
  | { readonly type: "wanted-gone" }
  | { readonly type: "data-filtered"; readonly data: string | undefined }
  | { readonly type: "days-filtered"; readonly days: number | undefined }
  /** With `asksDevice`, whether the phone takes an eSIM is asked before it is a line. */
  | { readonly type: "plan-picked"; readonly plan: PosEsimOffer; readonly asksDevice: boolean }
  | { readonly type: "iccid-opened" }
  /** All of it was typed or scanned elsewhere. */
  | { readonly type: "iccid-begun"; readonly text: string }
  | { readonly type: "iccid-typed"; readonly text: string }
  | { readonly type: "iccid-known"; readonly own: OwnEsim; readonly place: Destination }
  | { readonly type: "device-unfit" }
  | { readonly type: "back" };

/** What is this family's own. */
export interface EsimTypes {
  readonly state: EsimState;
  readonly event: EsimEvent;
  readonly sell: "esim";
}
