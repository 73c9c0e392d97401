import type { TopupSubtype } from "../../../../../server/contract/common.ts";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type {
  PosEarlierSale,
  PosPhone,
  PosPhoneChoice,
} from "../../../../../server/contract/pos/counter.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";

import { type AmountEvent, type AmountState, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import type { KnownNumber } from "./favourites/known-numbers.ts";

export type TopupStep = "number" | "country" | "carrier" | "offer" | "amount";

export interface TopupState {
  readonly step: TopupStep;
  /**
   * Typed digits, with a leading "+" if international. Contains the whole number after the number
   * step, so that no later answer gives the digits another meaning.
   */
  readonly digits: string;
  /** Typed search words. Empty while `digits` is not empty. */
  readonly query: string;
  /** The gateway's answer for exactly these `digits`. Undefined until it arrives. */
  readonly phone: PosPhone | undefined;
  /** True if Enter was pressed before the answer. */
  readonly wantsOn: boolean;
  readonly chosenBrand: PosBrand | undefined;
  /** E.164 number that the arrow keys selected. */
  readonly knownNumber: string | undefined;
  readonly subType: TopupSubtype | undefined;
  readonly page: number;
  /** Id of the tile that the arrow keys selected: an offer, a brand or a number. */
  readonly focusedTile: string | undefined;
  /** Step to which `back` returns from the carriers. */
  readonly carrierFrom: "number" | "offer";
  readonly amountOffer: PosTopupOffer | undefined;
  readonly amount: AmountState;
  readonly contacts?: readonly KnownNumber[];
}

export const INITIAL_TOPUP: TopupState = {
  step: "number",
  digits: "",
  query: "",
  phone: undefined,
  wantsOn: false,
  chosenBrand: undefined,
  knownNumber: undefined,
  subType: undefined,
  page: 0,
  focusedTile: undefined,
  carrierFrom: "number",
  amountOffer: undefined,
  amount: NO_AMOUNT,
};

export type TopupEvent =
  | { readonly type: "number-typed"; readonly digits: string }
  | { readonly type: "phone-known"; readonly digits: string; readonly phone: PosPhone }
  | { readonly type: "name-typed"; readonly query: string }
  | { readonly type: "contacts-read"; readonly contacts: readonly KnownNumber[] }
  | { readonly type: "known-focused"; readonly number: string | undefined }
  | { readonly type: "number-entered" }
  | { readonly type: "country-opened" }
  | { readonly type: "number-picked"; readonly phone: PosPhoneChoice }
  | { readonly type: "carrier-opened" }
  | { readonly type: "carrier-picked"; readonly brand: PosBrand }
  | { readonly type: "tab-picked"; readonly subType: TopupSubtype }
  | { readonly type: "page-turned"; readonly page: number }
  | { readonly type: "tile-focused"; readonly id: string | undefined }
  | { readonly type: "range-picked"; readonly offer: PosTopupOffer }
  | AmountEvent
  | { readonly type: "back" }
  | { readonly type: "reset" };

export interface TopupTypes {
  readonly state: TopupState;
  readonly event: TopupEvent;
}

/** Returns the chosen brand, or else the detected brand if this shop sells it. */
export function currentBrand({
  chosenBrand,
  phone,
}: Pick<TopupState, "chosenBrand" | "phone">): PosBrand | undefined {
  return chosenBrand ?? phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/** Returns whether the step concerns one brand. */
export function isOfBrand(step: TopupStep): boolean {
  return step !== "country" && step !== "carrier";
}

export function needsChoice(phone: PosPhone | undefined): boolean {
  return phone?.valid === false && phone.choices !== undefined;
}

/** Sale that the key 0 repeats. */
export function lastSale({ phone }: TopupState): PosEarlierSale | undefined {
  return phone?.earlier[0];
}
