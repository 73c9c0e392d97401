import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PosField, PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import {
  type AmountEvent,
  type AmountState,
  amountReducer,
  NO_AMOUNT,
} from "../../picker/amount/amount-state.ts";
import {
  enterField,
  type FieldsState,
  NO_FIELDS,
  typeField,
} from "../../picker/fields/fields-state.ts";
import {
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
} from "../../picker/tiles/picker-state.ts";
import type { WantedThing } from "../interface/sold-thing.ts";

export type PickerBrand = PosBrands["list"][number];

/** "here": brands that are sold for the shop's own country. */
export type BrandScope = "here" | "everywhere";

export type VoucherStep = "brand" | "country" | "offer" | "amount" | "field";

export interface VoucherState {
  readonly step: VoucherStep;
  /** Keeps its state while the clerk chooses an offer. */
  readonly brands: PickerState;
  readonly scope: BrandScope;
  /** Only brands of this kind are listed; undefined for all kinds. */
  readonly kind: string | undefined;
  readonly brand: PickerBrand | undefined;
  readonly tiles: PickerState;
  readonly country: string;
  readonly offer: PosVoucherOffer | undefined;
  readonly amount: AmountState;
  readonly quote: PosQuote | undefined;
  readonly fields: FieldsState;
  /** Product picked in the number field. Set until the gateway has listed the brands. */
  readonly wanted?: WantedThing | undefined;
}

export const INITIAL_VOUCHER: VoucherState = {
  step: "brand",
  brands: NO_PICKER,
  scope: "here",
  kind: undefined,
  brand: undefined,
  tiles: NO_PICKER,
  country: "",
  offer: undefined,
  amount: NO_AMOUNT,
  quote: undefined,
  fields: NO_FIELDS,
};

export type VoucherEvent =
  | { readonly type: "wanted"; readonly wanted: WantedThing }
  | { readonly type: "wanted-gone" }
  | { readonly type: "brands"; readonly event: PickerEvent }
  | { readonly type: "scope-chosen"; readonly scope: BrandScope }
  | { readonly type: "kind-chosen"; readonly kind: string | undefined }
  | { readonly type: "tiles"; readonly event: PickerEvent }
  /** `home` is the shop's country, which is chosen without asking if the brand is sold for it. */
  | { readonly type: "brand-picked"; readonly brand: PickerBrand; readonly home: string }
  | { readonly type: "country-opened" }
  | { readonly type: "country-picked"; readonly country: string }
  | { readonly type: "offer-picked"; readonly offer: PosVoucherOffer }
  | AmountEvent
  | { readonly type: "amount-entered"; readonly quote: PosQuote }
  | { readonly type: "field-typed"; readonly text: string; readonly home: string }
  | { readonly type: "field-entered" }
  | { readonly type: "back" };

export interface VoucherTypes {
  readonly state: VoucherState;
  readonly event: VoucherEvent;
}

export function fieldsAsked({ offer }: VoucherState): readonly PosField[] {
  return offer?.requiredFields ?? [];
}

/**
 * Composes one voucher:
 *
 *   brand ─► country ─► offer ─► amount ─► field, one after another ─► (the line)
 *
 * The country is skipped if there is only one, or if the brand is sold for the shop's own country;
 * a key opens the other countries. A FIXED offer skips the amount, and an offer without required
 * fields skips the fields.
 */
export function voucherReducer(state: VoucherState, event: VoucherEvent): VoucherState {
  switch (event.type) {
    case "wanted":
      return { ...INITIAL_VOUCHER, wanted: event.wanted };
    case "wanted-gone":
      return { ...state, wanted: undefined };
    case "brands":
      return { ...state, brands: pickerReducer(state.brands, event.event) };
    case "scope-chosen":
      return { ...state, scope: event.scope, kind: undefined, brands: NO_PICKER };
    case "kind-chosen":
      return { ...state, kind: event.kind, brands: NO_PICKER };
    case "tiles":
      return { ...state, tiles: pickerReducer(state.tiles, event.event) };
    case "brand-picked": {
      const { brand, home } = event;
      const [only = "", ...others] = brand.countries;
      const alone = others.length === 0 ? only : "";
      const known = brand.countries.includes(home) ? home : alone;
      const step = known === "" ? "country" : "offer";
      const wanted = state.wanted?.offerId === undefined ? undefined : state.wanted;
      return { ...state, step, brand, country: known, tiles: NO_PICKER, wanted };
    }
    case "country-opened":
      return state.step === "offer" && canChangeCountry(state)
        ? { ...state, step: "country", tiles: NO_PICKER }
        : state;
    case "country-picked":
      return { ...state, step: "offer", country: event.country, tiles: NO_PICKER };
    case "offer-picked": {
      const { offer } = event;
      const fresh = {
        ...state,
        wanted: undefined,
        offer,
        amount: NO_AMOUNT,
        quote: undefined,
        fields: NO_FIELDS,
      };
      return offer.priceType === "RANGE" ? { ...fresh, step: "amount" } : beginFields(fresh);
    }
    case "amount-typed":
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "amount-entered":
      return state.step === "amount" ? beginFields({ ...state, quote: event.quote }) : state;
    case "field-typed":
      return { ...state, fields: typeField(state.fields, fieldsAsked(state), event) };
    case "field-entered": {
      // After the last field the line is complete. The field stays open for undo.
      const fields = enterField(state.fields, fieldsAsked(state));
      return fields.index < fieldsAsked(state).length ? { ...state, fields } : state;
    }
    case "back":
      return back({ ...state, wanted: undefined });
  }
}

export function canChangeCountry({ brand }: Pick<VoucherState, "brand">): boolean {
  return (brand?.countries.length ?? 0) > 1;
}

/** Opens the fields. Without fields the line is already complete, so the step does not change. */
function beginFields(state: VoucherState): VoucherState {
  return fieldsAsked(state).length === 0 ? state : { ...state, step: "field", fields: NO_FIELDS };
}

function back(state: VoucherState): VoucherState {
  switch (state.step) {
    case "brand":
      return INITIAL_VOUCHER;
    case "country":
      return { ...state, step: "brand", brand: undefined };
    case "offer":
      return { ...state, step: "brand", brand: undefined, tiles: NO_PICKER };
    case "amount":
      return { ...state, step: "offer", offer: undefined };
    case "field": {
      const { fields } = state;
      return fields.index > 0
        ? { ...state, fields: { ...fields, index: fields.index - 1 } }
        : { ...state, step: stepBeforeFields(state) };
    }
  }
}

function stepBeforeFields({ offer }: VoucherState): VoucherStep {
  return offer?.priceType === "RANGE" ? "amount" : "offer";
}
