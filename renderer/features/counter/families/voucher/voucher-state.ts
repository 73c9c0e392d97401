import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PosField, PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { type AmountEvent, type AmountState, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { type FieldsState, NO_FIELDS } from "../../picker/fields/fields-state.ts";
import { NO_PICKER, type PickerEvent, type PickerState } from "../../picker/tiles/picker-state.ts";
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
