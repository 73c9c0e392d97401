import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import { amountReducer, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import {
  currentBrand,
  INITIAL_TOPUP,
  needsChoice,
  type TopupEvent,
  type TopupState,
} from "./topup-state.ts";

/**
 * Composes one top-up:
 *
 *   number ─► offer ─► (the line)      a known number or "same as last time" is a line at once
 *     │  ▲      ▲  │
 *     ▼  │      │  ▼
 *   carrier ────┘ amount ─► (the line)
 *
 * Digits that can be two numbers lead from number to country and, once one is picked, on from there.
 * The line itself goes to the machine of the sale; this one stays where it was, so that undoing
 * the confirm step leads back here.
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

const LEADS_TO_CARRIERS: ReadonlySet<TopupState["step"]> = new Set(["number", "offer", "amount"]);

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

/** Enter on the number: on when it is complete, to the carriers when none is known. */
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

/** The whole number in place of what was typed of it: from here on it is that number. */
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

/** The arrows have moved to something below the field. */
function hasChoice({ knownNumber, focusedTile }: TopupState): boolean {
  return knownNumber !== undefined || focusedTile !== undefined;
}

function withoutChoice(state: TopupState): TopupState {
  return { ...state, knownNumber: undefined, focusedTile: undefined };
}
