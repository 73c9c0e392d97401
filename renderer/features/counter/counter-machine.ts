import type { TopupSubtype } from "../../../server/contract/common.ts";
import type {
  PosBrand,
  PosEarlierSale,
  PosOffer,
  PosPhone,
  PosQuote,
} from "../../../server/contract/pos/counter.ts";
import type { Attempt, Basket } from "./attempt-store.ts";
import { basketOfEarlier, basketOfOffer, type SaleContext } from "./basket.ts";

/**
 * The selling path as one machine:
 *
 *   number ─► offer ─► confirm ─► (answered: number, the sale goes to the panel)
 *     │  ▲      ▲  │       ▲
 *     ▼  │      │  ▼       │
 *   carrier ────┘ amount ──┘        recent or "same as last time" ─► confirm
 *
 * `back` undoes one step. Everything impure (ids, the clock, requests) comes in with an event, so
 * the same events always lead to the same state. While `paying`, only an answer changes anything.
 */
export type CounterStep = "number" | "carrier" | "offer" | "amount" | "confirm";

/** What a typed amount names: what arrives on the phone, or what the customer pays. */
export type AmountSide = "ZEND" | "PRICE";

export interface CounterState {
  readonly step: CounterStep;
  readonly digits: string;
  /** What the gateway knows of `digits`; undefined until it has answered for exactly these. */
  readonly phone: PosPhone | undefined;
  /** Enter was pressed before the gateway knew the number: go on as soon as it does. */
  readonly wantsOn: boolean;
  /** The carrier the clerk chose over the detected one. */
  readonly chosenBrand: PosBrand | undefined;
  /** Index into the recents while one is focused. */
  readonly recent: number | undefined;
  readonly subType: TopupSubtype | undefined;
  readonly page: number;
  /** The tile under the arrow keys: an offer's id, or a brand's while carriers are shown. */
  readonly focusedTile: string | undefined;
  /** Where the carriers were opened from, and so where `back` leads. */
  readonly carrierFrom: "number" | "offer";
  readonly amountOffer: PosOffer | undefined;
  readonly amountSide: AmountSide;
  readonly amountText: string;
  readonly attempt: Attempt | undefined;
  /** The price was another when the confirm step opened, or when payment was tried. */
  readonly priceMoved: boolean;
  /** What the clerk typed as cash received; empty is exact. */
  readonly tenderText: string;
  readonly paying: boolean;
  readonly error: unknown;
}

export const INITIAL_COUNTER: CounterState = {
  step: "number",
  digits: "",
  phone: undefined,
  wantsOn: false,
  chosenBrand: undefined,
  recent: undefined,
  subType: undefined,
  page: 0,
  focusedTile: undefined,
  carrierFrom: "number",
  amountOffer: undefined,
  amountSide: "ZEND",
  amountText: "",
  attempt: undefined,
  priceMoved: false,
  tenderText: "",
  paying: false,
  error: undefined,
};

export type CounterEvent =
  | { readonly type: "number-typed"; readonly digits: string }
  | { readonly type: "phone-known"; readonly digits: string; readonly phone: PosPhone }
  | { readonly type: "recent-focused"; readonly index: number | undefined }
  | { readonly type: "number-entered" }
  | { readonly type: "carrier-opened" }
  | { readonly type: "carrier-picked"; readonly brand: PosBrand }
  | { readonly type: "tab-picked"; readonly subType: TopupSubtype }
  | { readonly type: "page-turned"; readonly page: number }
  | { readonly type: "tile-focused"; readonly id: string | undefined }
  | { readonly type: "offer-picked"; readonly offer: PosOffer; readonly context: SaleContext }
  | { readonly type: "amount-typed"; readonly text: string }
  | { readonly type: "amount-side"; readonly side: AmountSide }
  | { readonly type: "amount-entered"; readonly quote: PosQuote; readonly context: SaleContext }
  | { readonly type: "repeated"; readonly earlier: PosEarlierSale; readonly context: SaleContext }
  | { readonly type: "quoted"; readonly saleId: string; readonly quote: PosQuote }
  | { readonly type: "quote-failed"; readonly saleId: string; readonly error: unknown }
  | { readonly type: "tender-typed"; readonly text: string }
  | { readonly type: "pay" }
  | { readonly type: "answered" }
  | { readonly type: "refused"; readonly error: unknown; readonly price?: number }
  | { readonly type: "restored"; readonly attempt: Attempt }
  | { readonly type: "back" }
  | { readonly type: "reset" };

/** The brand the offers are of: the chosen one, else the detected one when it is sold here. */
export function currentBrand({ chosenBrand, phone }: CounterState): PosBrand | undefined {
  return chosenBrand ?? phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/** The latest sale to this very number, which "0" repeats. */
export function lastSale({ phone }: CounterState): PosEarlierSale | undefined {
  return phone?.earlier[0];
}

export function counterReducer(state: CounterState, event: CounterEvent): CounterState {
  if (state.paying && event.type !== "answered" && event.type !== "refused") {
    return state;
  }
  switch (event.type) {
    case "number-typed":
      return event.digits === state.digits
        ? { ...state, recent: undefined }
        : { ...INITIAL_COUNTER, digits: event.digits };
    case "phone-known":
      return phoneKnown(state, event.digits, event.phone);
    case "recent-focused":
      return { ...state, recent: event.index };
    case "number-entered":
      return state.step === "number" ? leaveNumber(state) : state;
    case "carrier-opened":
      return openCarriers(state);
    case "carrier-picked":
      return state.step === "carrier" ? openOffers({ ...state, chosenBrand: event.brand }) : state;
    case "tab-picked":
      return { ...state, subType: event.subType, page: 0, focusedTile: undefined };
    case "page-turned":
      return { ...state, page: event.page, focusedTile: undefined };
    case "tile-focused":
      return { ...state, focusedTile: event.id };
    case "offer-picked":
      return pickOffer(state, event.offer, event.context);
    case "amount-typed":
      return { ...state, amountText: event.text };
    case "amount-side":
      return { ...state, amountSide: event.side, amountText: "" };
    case "amount-entered":
      return state.step === "amount" && state.amountOffer
        ? openConfirm(state, event.context, basketOfOffer(state, state.amountOffer, event.quote))
        : state;
    case "repeated":
      return repeat(state, event.earlier, event.context);
    case "quoted":
      return quoted(state, event.saleId, event.quote);
    case "quote-failed":
      return state.attempt?.saleId === event.saleId
        ? { ...back(state), error: event.error }
        : state;
    case "tender-typed":
      return { ...state, tenderText: event.text };
    case "pay":
      return state.step === "confirm" && state.attempt
        ? { ...state, paying: true, error: undefined }
        : state;
    case "answered":
      return INITIAL_COUNTER;
    case "refused":
      return refused(state, event.error, event.price);
    case "restored":
      return restored(event.attempt);
    case "back":
      return back(state);
    case "reset":
      return INITIAL_COUNTER;
  }
}

function openCarriers(state: CounterState): CounterState {
  const isOpen = state.step === "carrier" || state.step === "confirm";
  if (isOpen || !state.phone || state.phone.brands.length === 0) {
    return state;
  }
  return {
    ...state,
    step: "carrier",
    carrierFrom: state.step === "number" ? "number" : "offer",
    wantsOn: false,
    page: 0,
    focusedTile: undefined,
    amountOffer: undefined,
    error: undefined,
  };
}

function phoneKnown(state: CounterState, digits: string, phone: PosPhone): CounterState {
  if (digits !== state.digits) {
    return state;
  }
  const known = { ...state, phone };
  return state.wantsOn && state.step === "number" ? leaveNumber(known) : known;
}

/** Enter on the number: on when it is complete, to the carriers when none is known. */
function leaveNumber(state: CounterState): CounterState {
  if (state.digits === "") {
    return state;
  }
  if (!state.phone) {
    return { ...state, wantsOn: true };
  }
  if (!state.phone.valid || state.phone.brands.length === 0) {
    return { ...state, wantsOn: false };
  }
  return currentBrand(state) ? openOffers(state) : openCarriers(state);
}

function openOffers(state: CounterState): CounterState {
  return {
    ...state,
    step: "offer",
    wantsOn: false,
    subType: undefined,
    page: 0,
    focusedTile: undefined,
    error: undefined,
  };
}

function pickOffer(state: CounterState, offer: PosOffer, context: SaleContext): CounterState {
  if (state.step !== "offer" || !state.phone) {
    return state;
  }
  if (offer.priceType === "RANGE") {
    return {
      ...state,
      step: "amount",
      amountOffer: offer,
      amountSide: "ZEND",
      amountText: "",
      error: undefined,
    };
  }
  return openConfirm(state, context, basketOfOffer(state, offer));
}

function openConfirm(
  state: CounterState,
  context: SaleContext,
  basket: Basket | undefined,
): CounterState {
  if (!basket) {
    return state;
  }
  return {
    ...state,
    step: "confirm",
    attempt: { ...context, basket },
    priceMoved: false,
    tenderText: "",
    error: undefined,
  };
}

function repeat(state: CounterState, earlier: PosEarlierSale, context: SaleContext): CounterState {
  if (state.step !== "number" && state.step !== "offer") {
    return state;
  }
  return openConfirm(state, context, basketOfEarlier(earlier));
}

/** The exact amounts of what is being confirmed; a price that moved is shown before it is asked. */
function quoted(state: CounterState, saleId: string, quote: PosQuote): CounterState {
  const { attempt } = state;
  if (attempt?.saleId !== saleId) {
    return state;
  }
  const basket: Basket = {
    ...attempt.basket,
    price: quote.price,
    send: quote.send,
    sendCurrency: quote.sendCurrency,
    sendCurrencyDivisor: quote.sendCurrencyDivisor,
  };
  const priceMoved = state.priceMoved || quote.price !== attempt.basket.price;
  return { ...state, attempt: { ...attempt, basket }, priceMoved };
}

function refused(state: CounterState, error: unknown, price: number | undefined): CounterState {
  const { attempt } = state;
  if (!attempt) {
    return state;
  }
  const { confirmedAt: _, input: __, ...open } = attempt;
  const basket = price === undefined ? attempt.basket : { ...attempt.basket, price };
  return {
    ...state,
    attempt: { ...open, basket },
    paying: false,
    priceMoved: price !== undefined,
    tenderText: price === undefined ? state.tenderText : "",
    error,
  };
}

function restored(attempt: Attempt): CounterState {
  return {
    ...INITIAL_COUNTER,
    digits: attempt.basket.number.slice(1),
    step: "confirm",
    attempt,
  };
}

function back(state: CounterState): CounterState {
  const cleared = { ...state, error: undefined, attempt: undefined, tenderText: "" };
  switch (state.step) {
    case "number":
      return state.recent === undefined ? INITIAL_COUNTER : { ...state, recent: undefined };
    case "carrier":
      return { ...cleared, step: state.carrierFrom, page: 0, focusedTile: undefined };
    case "offer":
      return { ...cleared, step: "number", focusedTile: undefined };
    case "amount":
      return { ...cleared, step: "offer", amountOffer: undefined, amountText: "" };
    case "confirm":
      return { ...cleared, step: stepBeforeConfirm(state) };
  }
}

function stepBeforeConfirm(state: CounterState): CounterStep {
  if (state.amountOffer) {
    return "amount";
  }
  return state.phone && currentBrand(state) && state.recent === undefined ? "offer" : "number";
}
