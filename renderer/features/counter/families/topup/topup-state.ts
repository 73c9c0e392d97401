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

/** How far a top-up is composed; `topup-family.tsx` says how it moves. */
export type TopupStep = "number" | "country" | "carrier" | "offer" | "amount";

export interface TopupState {
  readonly step: TopupStep;
  /**
   * What was typed of the number: digits, after a "+" where it is international. After the number step
   * it is the whole number, so that no later answer reads another number from it.
   */
  readonly digits: string;
  /** Letters of a favourite's name; never together with digits. */
  readonly query: string;
  /** What the gateway knows of `digits`; undefined until it has answered for exactly these. */
  readonly phone: PosPhone | undefined;
  /** Enter was pressed before the gateway knew the number: go on as soon as it does. */
  readonly wantsOn: boolean;
  /** The carrier the clerk chose over the detected one. */
  readonly chosenBrand: PosBrand | undefined;
  /** The known number under the arrow keys, E.164: the list may change under them. */
  readonly knownNumber: string | undefined;
  readonly subType: TopupSubtype | undefined;
  readonly page: number;
  /** The tile under the arrow keys: an offer's id, a brand's, or a number. */
  readonly focusedTile: string | undefined;
  /** Where the carriers were opened from, and so where `back` leads. */
  readonly carrierFrom: "number" | "offer";
  readonly amountOffer: PosTopupOffer | undefined;
  readonly amount: AmountState;
  /** Several numbers of contacts that were pasted or dropped, to choose from. */
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
  /** Letters of a name in place of a number. */
  | { readonly type: "name-typed"; readonly query: string }
  | { readonly type: "contacts-read"; readonly contacts: readonly KnownNumber[] }
  | { readonly type: "known-focused"; readonly number: string | undefined }
  | { readonly type: "number-entered" }
  /** Chooses one of the numbers that the digits can be. */
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

/** What is this family's own. */
export interface TopupTypes {
  readonly state: TopupState;
  readonly event: TopupEvent;
  readonly sell: "topup";
}

/** The brand the offers are of: the chosen one, else the detected one when it is sold here. */
export function currentBrand({
  chosenBrand,
  phone,
}: Pick<TopupState, "chosenBrand" | "phone">): PosBrand | undefined {
  return chosenBrand ?? phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/** Whether the step is about one brand, and not about which. */
export function isOfBrand(step: TopupStep): boolean {
  return step !== "country" && step !== "carrier";
}

/** Whether the digits can be more than one number, and the clerk has to choose. */
export function needsChoice(phone: PosPhone | undefined): boolean {
  return phone?.valid === false && phone.choices !== undefined;
}

/** The latest sale to this very number, which "0" repeats. */
export function lastSale({ phone }: TopupState): PosEarlierSale | undefined {
  return phone?.earlier[0];
}
