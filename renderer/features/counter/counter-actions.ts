import type { PosBrand } from "../../../server/contract/pos/counter.ts";
import { latinDigits } from "../../lib/direction.ts";
import { fractionDigits } from "../../lib/money.ts";
import { phoneDigits } from "../../lib/phone-format.ts";
import { quickNotes } from "./cash-notes.ts";
import type { CounterIntent } from "./counter-keys.ts";
import { lastSale } from "./counter-state.ts";
import { neighbourTab, neighbourTile, PAGE_SIZE, tabOfLetter } from "./offer-pages.ts";
import type { Counter } from "./use-counter.ts";

export interface CounterActions {
  readonly print: () => void;
}

/** What every step of the selling path is given. */
export interface StepProps {
  readonly counter: Counter;
  readonly actions: CounterActions;
}

/** Does what a key asked for; the on-screen keypad and buttons come through here too. */
export function carryOut(intent: CounterIntent, counter: Counter, actions: CounterActions): void {
  const { state, dispatch, view } = counter;
  switch (intent.do) {
    case "proceed":
      return proceed(counter);
    case "sell-again":
      return counter.asksFirst ? void counter.pay("again") : undefined;
    case "undo":
      return counter.undo();
    case "open-carrier":
      return dispatch({ type: "carrier-opened" });
    case "print":
      return actions.print();
    case "same-as-last": {
      const earlier = lastSale(state);
      return earlier ? counter.repeat(earlier) : undefined;
    }
    case "type":
      return typeText(counter, (text) => text + intent.text);
    case "erase":
      return typeText(counter, (text) => text.slice(0, -1));
    case "pick":
      return pick(counter, intent.index);
    case "letter": {
      const subType = state.step === "offer" ? tabOfLetter(view, intent.letter) : undefined;
      return subType ? dispatch({ type: "tab-picked", subType }) : undefined;
    }
    case "turn-tab": {
      const subType = neighbourTab(view, intent.step);
      return subType ? dispatch({ type: "tab-picked", subType }) : undefined;
    }
    case "turn-page":
      return turnPage(counter, intent.step);
    case "move":
      return move(counter, intent.step);
  }
}

/** Enter: the one next thing of each step, the same as the primary button. */
export function proceed(counter: Counter): void {
  const { state, dispatch, view } = counter;
  switch (state.step) {
    case "number": {
      const recent = state.recent === undefined ? undefined : counter.recents[state.recent];
      return recent ? counter.repeat(recent) : dispatch({ type: "number-entered" });
    }
    case "carrier": {
      const focused = state.phone?.brands.find(({ brand }) => brand === state.focusedTile);
      return focused ? dispatch({ type: "carrier-picked", brand: focused }) : undefined;
    }
    case "offer": {
      const focused = view.tiles.find(({ offerId }) => offerId === state.focusedTile);
      if (focused) {
        return counter.pickOffer(focused);
      }
      const earlier = lastSale(state);
      return earlier ? counter.repeat(earlier) : undefined;
    }
    case "amount":
      return counter.enterAmount();
    case "confirm":
      void counter.pay();
  }
}

function typeText({ state, dispatch, till }: Counter, edit: (text: string) => string): void {
  switch (state.step) {
    case "number":
      return dispatch({ type: "number-typed", digits: phoneDigits(edit(state.digits)) });
    case "amount": {
      const divisor = state.amountOffer
        ? state.amountOffer[state.amountSide === "ZEND" ? "send" : "price"].currencyDivisor
        : 1;
      return dispatch({
        type: "amount-typed",
        text: amountText(edit(state.amountText), fractionDigits(divisor)),
      });
    }
    case "confirm":
      return dispatch({
        type: "tender-typed",
        text: amountText(edit(state.tenderText), fractionDigits(till.currencyDivisor)),
      });
    case "carrier":
    case "offer":
      return;
  }
}

/** Keeps of a typed amount what can be one: digits, and one point with as many digits as it has. */
export function amountText(text: string, digits: number): string {
  const cleaned = latinDigits(text)
    .replaceAll(",", ".")
    .replaceAll(/[^\d.]/g, "");
  const [whole = "", ...rest] = cleaned.split(".");
  const shown = whole.replace(/^0+(?=\d)/, "").slice(0, 9);
  return rest.length === 0 || digits === 0
    ? shown
    : `${shown === "" ? "0" : shown}.${rest.join("").slice(0, digits)}`;
}

function pick(counter: Counter, index: number): void {
  const { state, dispatch, view } = counter;
  if (state.step === "carrier") {
    const brand = brandsOnPage(counter)[index];
    return brand ? dispatch({ type: "carrier-picked", brand }) : undefined;
  }
  const offer = view.tiles[index];
  return offer ? counter.pickOffer(offer) : undefined;
}

/** The carriers that the digits 1 to 9 pick. */
export function brandsOnPage({ state }: Counter): readonly PosBrand[] {
  const brands = state.phone?.brands ?? [];
  return brands.slice(state.page * PAGE_SIZE, (state.page + 1) * PAGE_SIZE);
}

function turnPage({ state, dispatch, view }: Counter, step: -1 | 1): void {
  const pages =
    state.step === "carrier"
      ? Math.ceil((state.phone?.brands.length ?? 0) / PAGE_SIZE)
      : view.pages;
  const page = Math.min(Math.max(0, state.page + step), Math.max(0, pages - 1));
  dispatch({ type: "page-turned", page });
}

/** Up and down: through the recents, the tiles, the two sides of an amount, or the cash notes. */
function move(counter: Counter, step: -1 | 1): void {
  const { state, dispatch, view, recents } = counter;
  switch (state.step) {
    case "number":
      return dispatch({
        type: "recent-focused",
        index: state.digits === "" ? movedRecent(state.recent, step, recents.length) : undefined,
      });
    case "offer":
      return dispatch({ type: "tile-focused", id: neighbourTile(view, state.focusedTile, step) });
    case "carrier": {
      const brands = brandsOnPage(counter).map(({ brand }) => brand);
      const at = brands.indexOf(state.focusedTile ?? "");
      const next = at < 0 && step === -1 ? brands.length - 1 : at + step;
      return dispatch({ type: "tile-focused", id: brands[(next + brands.length) % brands.length] });
    }
    case "amount":
      return dispatch({
        type: "amount-side",
        side: state.amountSide === "ZEND" ? "PRICE" : "ZEND",
      });
    case "confirm":
      return moveNote(counter, step);
  }
}

function movedRecent(index: number | undefined, step: -1 | 1, count: number) {
  if (count === 0) {
    return undefined;
  }
  const first = step === 1 ? 0 : count - 1;
  const next = index === undefined ? first : index + step;
  return next < 0 || next >= count ? undefined : next;
}

function moveNote({ state, dispatch, cash }: Counter, step: -1 | 1): void {
  const basket = state.attempt?.basket;
  if (!basket) {
    return;
  }
  const divisor = basket.priceCurrencyDivisor;
  const notes = [basket.price, ...quickNotes(basket.price, basket.priceCurrency, divisor)];
  const at = notes.indexOf(cash?.tendered ?? basket.price);
  const next = notes[(at + step + notes.length) % notes.length];
  dispatch({ type: "tender-typed", text: noteText(next, basket.price, divisor) });
}

/** A note as typed text; the exact amount is no text at all. */
export function noteText(note: number | undefined, total: number, divisor: number): string {
  return note === undefined || note === total
    ? ""
    : amountText((note / divisor).toFixed(fractionDigits(divisor)), fractionDigits(divisor));
}
