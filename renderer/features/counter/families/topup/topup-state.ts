import type { TopupSubtype } from "../../../../../server/contract/common.ts";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type {
  PosEarlierSale,
  PosPhone,
  PosPhoneChoice,
} from "../../../../../server/contract/pos/counter.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";

import {
  type AmountEvent,
  type AmountState,
  amountReducer,
  NO_AMOUNT,
} from "../../picker/amount/amount-state.ts";
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

const LEADS_TO_CARRIERS: ReadonlySet<TopupState["step"]> = new Set(["number", "offer", "amount"]);

/**
 * Composes one top-up:
 *
 *   number ─► offer ─► (the line)      a known number or "same as last time" is a line at once
 *     │  ▲      ▲  │
 *     ▼  │      │  ▼
 *   carrier ────┘ amount ─► (the line)
 *
 * Digits that match two numbers lead from `number` to `country`, and the picked number continues to
 * its offers. The sale's state machine receives the line. This state machine keeps its own state,
 * so that undo in the confirm step returns here.
 */
export function topupReducer(state: TopupState, event: TopupEvent): TopupState {
  switch (event.type) {
    case "number-typed":
      return event.digits === state.digits && state.query === ""
        ? withoutChoice(state)
        : { ...INITIAL_TOPUP, digits: event.digits };
    case "phone-known":
      return phoneKnown(state, event.digits, event.phone);
    case "name-typed":
      return { ...INITIAL_TOPUP, query: event.query };
    case "contacts-read": {
      const [only, ...others] = event.contacts;
      return only && others.length === 0
        ? { ...INITIAL_TOPUP, digits: only.number }
        : { ...INITIAL_TOPUP, contacts: event.contacts };
    }
    case "known-focused":
      return { ...state, knownNumber: event.number, focusedTile: undefined };
    case "number-entered":
      return state.step === "number" ? leaveNumber(state) : state;
    case "country-opened":
      return state.step === "number" && state.phone?.choices ? openCountries(state) : state;
    case "number-picked":
      return state.step === "country"
        ? leaveNumber({
            ...INITIAL_TOPUP,
            digits: event.phone.number,
            phone: event.phone,
          })
        : state;
    case "carrier-opened":
      return openCarriers(state);
    case "carrier-picked":
      return state.step === "carrier" ? openOffers({ ...state, chosenBrand: event.brand }) : state;
    case "tab-picked":
      return { ...state, subType: event.subType, page: 0, focusedTile: undefined };
    case "page-turned":
      return { ...state, page: event.page, focusedTile: undefined };
    case "tile-focused":
      return { ...state, focusedTile: event.id, knownNumber: undefined };
    case "range-picked":
      return state.step === "offer"
        ? {
            ...state,
            step: "amount",
            amountOffer: event.offer,
            amount: NO_AMOUNT,
          }
        : state;
    case "amount-typed":
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "back":
      return back(state);
    case "reset":
      return INITIAL_TOPUP;
  }
}

function openCarriers(state: TopupState): TopupState {
  if (!LEADS_TO_CARRIERS.has(state.step) || !state.phone || state.phone.brands.length === 0) {
    return state;
  }
  return {
    ...withNumber(state),
    step: "carrier",
    carrierFrom: state.step === "number" ? "number" : "offer",
    wantsOn: false,
    page: 0,
    focusedTile: undefined,
    amountOffer: undefined,
  };
}

function phoneKnown(state: TopupState, digits: string, phone: PosPhone): TopupState {
  if (digits !== state.digits) {
    return state;
  }
  const known = { ...state, phone };
  return state.wantsOn && state.step === "number" ? leaveNumber(known) : known;
}

/** Opens the carriers if the gateway detected no carrier. */
function leaveNumber(state: TopupState): TopupState {
  if (state.digits === "") {
    return state;
  }
  if (!state.phone) {
    return { ...state, wantsOn: true };
  }
  if (needsChoice(state.phone)) {
    return openCountries(state);
  }
  if (!state.phone.valid || state.phone.brands.length === 0) {
    return { ...state, wantsOn: false };
  }
  return currentBrand(state) ? openOffers(state) : openCarriers(state);
}

function openCountries(state: TopupState): TopupState {
  return { ...state, step: "country", wantsOn: false, page: 0, focusedTile: undefined };
}

function withNumber(state: TopupState): TopupState {
  return state.phone?.valid ? { ...state, digits: state.phone.number } : state;
}

function openOffers(state: TopupState): TopupState {
  return {
    ...withNumber(state),
    step: "offer",
    wantsOn: false,
    subType: undefined,
    page: 0,
    focusedTile: undefined,
  };
}

function back(state: TopupState): TopupState {
  switch (state.step) {
    case "number":
      return hasChoice(state) ? withoutChoice(state) : INITIAL_TOPUP;
    case "country":
      return { ...state, step: "number", focusedTile: undefined };
    case "carrier":
      return { ...state, step: state.carrierFrom, page: 0, focusedTile: undefined };
    case "offer":
      return { ...state, step: "number", focusedTile: undefined };
    case "amount":
      return { ...state, step: "offer", amountOffer: undefined, amount: NO_AMOUNT };
  }
}

function hasChoice({ knownNumber, focusedTile }: TopupState): boolean {
  return knownNumber !== undefined || focusedTile !== undefined;
}

function withoutChoice(state: TopupState): TopupState {
  return { ...state, knownNumber: undefined, focusedTile: undefined };
}
