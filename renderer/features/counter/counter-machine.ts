import type {
  PosEarlierSale,
  PosOffer,
  PosPhone,
  PosQuote,
} from "../../../server/contract/pos/counter.ts";
import type { Attempt, Basket } from "./attempt-store.ts";
import { basketOfEarlier, basketOfOffer, type SaleContext } from "./basket.ts";
import {
  type CounterEvent,
  type CounterState,
  type CounterStep,
  currentBrand,
  INITIAL_COUNTER,
} from "./counter-state.ts";

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
