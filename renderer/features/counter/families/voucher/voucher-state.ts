import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PosField, PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { type AmountEvent, type AmountState, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { type FieldsState, NO_FIELDS } from "../../picker/fields/fields-state.ts";
import { NO_PICKER, type PickerEvent, type PickerState } from "../../picker/tiles/picker-state.ts";
import type { WantedThing } from "../interface/sold-thing.ts";

export type PickerBrand = PosBrands["list"][number];

/** How far a voucher is composed; `voucher-family.tsx` says how it moves. */
export type VoucherStep = "brand" | "country" | "offer" | "amount" | "field";

export interface VoucherState {
  readonly step: VoucherStep;
  /** The brand picker, which stays as it was while a card is chosen. */
  readonly brands: PickerState;
  readonly brand: PickerBrand | undefined;
  /** The tiles of the step that is open. */
  readonly tiles: PickerState;
  readonly country: string;
  readonly offer: PosVoucherOffer | undefined;
  readonly amount: AmountState;
  /** What a chosen amount costs. */
  readonly quote: PosQuote | undefined;
  readonly fields: FieldsState;
  /** What the one field found, until it is chosen here. */
  readonly wanted?: WantedThing | undefined;
}

export const INITIAL_VOUCHER: VoucherState = {
  step: "brand",
  brands: NO_PICKER,
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
  /** It is not sold any more. */
  | { readonly type: "wanted-gone" }
  | { readonly type: "brands"; readonly event: PickerEvent }
  | { readonly type: "tiles"; readonly event: PickerEvent }
  /** `home` is the shop's country: taken without asking where the brand is sold for it. */
  | { readonly type: "brand-picked"; readonly brand: PickerBrand; readonly home: string }
  | { readonly type: "country-opened" }
  | { readonly type: "country-picked"; readonly country: string }
  | { readonly type: "offer-picked"; readonly offer: PosVoucherOffer }
  | AmountEvent
  | { readonly type: "amount-entered"; readonly quote: PosQuote }
  | { readonly type: "field-typed"; readonly text: string }
  | { readonly type: "field-entered" }
  | { readonly type: "back" };

/** What is this family's own. */
export interface VoucherTypes {
  readonly state: VoucherState;
  readonly event: VoucherEvent;
  readonly sell: "voucher";
}

/** What the customer supplies for the chosen offer. */
export function fieldsAsked({ offer }: VoucherState): readonly PosField[] {
  return offer?.requiredFields ?? [];
}
