import type { KeyPress } from "./counter-keys.ts";
import { type DigitRow, NO_ROW } from "./digit-row.ts";
import { NOTHING_AHEAD, type OpenStep, type TypedAhead, typeAhead } from "./typed-ahead.ts";

/** What the keys that were pressed so far mean for the next one. */
export interface KeysState {
  readonly ahead: TypedAhead;
  readonly row: DigitRow;
}

export const NO_KEYS: KeysState = { ahead: NOTHING_AHEAD, row: NO_ROW };

export type KeysEvent =
  /** It came sooner than the answer that says what it means. */
  | { readonly type: "typed-ahead"; readonly press: KeyPress; readonly step: OpenStep }
  /** It was carried out, or is the browser's. Those that wait go on waiting, or are forgotten. */
  | { readonly type: "pressed"; readonly row: DigitRow; readonly forgetsAhead?: boolean }
  /** The first of those that wait was carried out; `left` is what is left of the `seen` there were. */
  | {
      readonly type: "caught-up";
      readonly row: DigitRow;
      readonly left: TypedAhead;
      readonly seen: number;
    }
  /** Something else was done meanwhile: what is typed now begins a row of its own. */
  | { readonly type: "row-ended" };

export function keysReducer(state: KeysState, event: KeysEvent): KeysState {
  switch (event.type) {
    case "typed-ahead":
      return { ...state, ahead: typeAhead(state.ahead, event.press, event.step) };
    case "pressed": {
      const { row, forgetsAhead = false } = event;
      const ahead = forgetsAhead ? NOTHING_AHEAD : state.ahead;
      return row === state.row && ahead === state.ahead ? state : { row, ahead };
    }
    case "caught-up": {
      const { row, left, seen } = event;
      if (left === NOTHING_AHEAD) {
        return { row, ahead: left };
      }
      // Keys that came meanwhile are behind those.
      return { row, ahead: { ...left, keys: [...left.keys, ...state.ahead.keys.slice(seen)] } };
    }
    case "row-ended":
      return state.row === NO_ROW ? state : { ...state, row: NO_ROW };
  }
}
