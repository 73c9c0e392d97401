import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosBillOffer, PosField } from "../../../../../server/contract/pos/offers.ts";
import { type AmountEvent, type AmountState, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { type FieldsState, NO_FIELDS } from "../../picker/fields/fields-state.ts";
import { NO_PICKER, type PickerEvent, type PickerState } from "../../picker/tiles/picker-state.ts";
import type { WantedThing } from "../interface/sold-thing.ts";

export type Biller = PosBrands["list"][number];

export type BillStep = "biller" | "country" | "service" | "field" | "amount";

export interface BillState {
  readonly step: BillStep;
  readonly billers: PickerState;
  readonly biller: Biller | undefined;
  readonly tiles: PickerState;
  readonly country: string;
  readonly offer: PosBillOffer | undefined;
  /** True if the service step was skipped, because the biller has only this service. */
  readonly isOnlyService: boolean;
  readonly fields: FieldsState;
  readonly amount: AmountState;
  /** Biller picked in the number field. Set until the gateway has listed the billers. */
  readonly wanted?: WantedThing | undefined;
}

export const INITIAL_BILL: BillState = {
  step: "biller",
  billers: NO_PICKER,
  biller: undefined,
  tiles: NO_PICKER,
  country: "",
  offer: undefined,
  isOnlyService: false,
  fields: NO_FIELDS,
  amount: NO_AMOUNT,
};

export type BillEvent =
  | { readonly type: "wanted"; readonly wanted: WantedThing }
  | { readonly type: "wanted-gone" }
  | { readonly type: "billers"; readonly event: PickerEvent }
  | { readonly type: "tiles"; readonly event: PickerEvent }
  /** `home` is the shop's country, which is chosen without a question if the biller serves it. */
  | { readonly type: "biller-picked"; readonly biller: Biller; readonly home: string }
  | { readonly type: "country-opened" }
  | { readonly type: "country-picked"; readonly country: string }
  | { readonly type: "service-picked"; readonly offer: PosBillOffer; readonly isOnly: boolean }
  | { readonly type: "field-typed"; readonly text: string; readonly home: string }
  | { readonly type: "field-entered" }
  | AmountEvent
  | { readonly type: "back" };

export interface BillTypes {
  readonly state: BillState;
  readonly event: BillEvent;
  readonly sell: "bill";
}

export function fieldsAsked({ offer }: BillState): readonly PosField[] {
  return offer?.requiredFields ?? [];
}
