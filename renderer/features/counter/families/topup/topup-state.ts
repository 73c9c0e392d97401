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

/** Transitions: `topup-family.tsx`. */
export type TopupStep = "number" | "country" | "carrier" | "offer" | "amount";

export interface TopupState {
  readonly step: TopupStep;
  /**
   * Typed digits, with a leading "+" for an international number. After the number step: the whole
   * number, so that no later answer can interpret the digits differently.
   */
  readonly digits: string;
  /** Letters of a favourite's name; empty while `digits` is not empty. */
  readonly query: string;
  /** The gateway's answer for exactly these `digits`; undefined until it arrives. */
  readonly phone: PosPhone | undefined;
  /** Enter was pressed before the answer; the step continues after the answer. */
  readonly wantsOn: boolean;
  readonly chosenBrand: PosBrand | undefined;
  /** E.164 number under the arrow keys; independent of the list, which may change. */
  readonly knownNumber: string | undefined;
  readonly subType: TopupSubtype | undefined;
  readonly page: number;
  /** Id of the tile under the arrow keys: an offer, a brand or a number. */
  readonly focusedTile: string | undefined;
  /** The step that `back` returns to from the carriers. */
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
  readonly sell: "topup";
}

/**
 * Returns the brand whose offers are shown: the chosen brand, or the detected brand if this shop
 * sells it.
 */
export function currentBrand({
  chosenBrand,
  phone,
}: Pick<TopupState, "chosenBrand" | "phone">): PosBrand | undefined {
  return chosenBrand ?? phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/**
 * Returns whether the step concerns one brand; false while the number or the brand is being chosen.
 */
export function isOfBrand(step: TopupStep): boolean {
  return step !== "country" && step !== "carrier";
}

/** Returns whether the digits match several numbers. */
export function needsChoice(phone: PosPhone | undefined): boolean {
  return phone?.valid === false && phone.choices !== undefined;
}

/** Returns the last sale to this number, which the key 0 repeats. */
export function lastSale({ phone }: TopupState): PosEarlierSale | undefined {
  return phone?.earlier[0];
}
