import { latinDigits } from "../../lib/direction.ts";
import { isPrintKey } from "../../lib/print-key.ts";
import type { CounterState } from "./counter-state.ts";

/** A key as the counter sees it. */
export interface KeyPress {
  readonly key: string;
  /** The physical key, for shortcuts that a layout would turn into another letter. */
  readonly code: string;
  readonly alt: boolean;
  readonly ctrl: boolean;
  /** The step's own field has the focus and edits digits itself. */
  readonly inField: boolean;
  /** The screen runs from right to left: the next tab is on the left. */
  readonly rtl?: boolean;
}

/** What a key means in a step, in the clerk's words; the screen carries it out. */
export type CounterIntent =
  | {
      readonly do:
        | "proceed"
        | "undo"
        | "erase"
        | "open-carrier"
        | "print"
        | "same-as-last"
        | "sell-again";
    }
  | { readonly do: "type"; readonly text: string }
  | { readonly do: "pick"; readonly index: number }
  | { readonly do: "letter"; readonly letter: string }
  | { readonly do: "move"; readonly step: -1 | 1 }
  | { readonly do: "turn-tab"; readonly step: -1 | 1 }
  | { readonly do: "turn-page"; readonly step: -1 | 1 };

/** The one table of the counter's keys. undefined leaves the key to the browser. */
export function readCounterKey(
  { key: typed, ...rest }: KeyPress,
  state: CounterState,
): CounterIntent | undefined {
  const press = { ...rest, key: latinDigits(typed) };
  if (press.alt && press.code === "KeyC") {
    return { do: "open-carrier" };
  }
  if (press.alt || press.ctrl) {
    return undefined;
  }
  switch (press.key) {
    case "Enter":
      return { do: "proceed" };
    case "F8":
      return state.step === "confirm" ? { do: "sell-again" } : undefined;
    case "Escape":
      return { do: "undo" };
    case "ArrowDown":
      return { do: "move", step: 1 };
    case "ArrowUp":
      return { do: "move", step: -1 };
    case "PageDown":
      return { do: "turn-page", step: 1 };
    case "PageUp":
      return { do: "turn-page", step: -1 };
    case "ArrowRight":
    case "ArrowLeft":
      return state.step === "offer"
        ? { do: "turn-tab", step: press.key === (press.rtl ? "ArrowLeft" : "ArrowRight") ? 1 : -1 }
        : undefined;
    case "Backspace":
      return press.inField ? undefined : { do: isChoosing(state) ? "undo" : "erase" };
    default:
      return readCharacter(press, state);
  }
}

function isChoosing({ step }: CounterState): boolean {
  return step === "offer" || step === "carrier";
}

function readCharacter(
  { key, code, inField }: KeyPress,
  state: CounterState,
): CounterIntent | undefined {
  if (/^[0-9]$/.test(key)) {
    return readDigit(key, inField, state);
  }
  if (/^[.,]$/.test(key)) {
    const takesAmount = state.step === "amount" || state.step === "confirm";
    return inField || !takesAmount ? undefined : { do: "type", text: key };
  }
  if (!/^\p{L}$/u.test(key)) {
    return undefined;
  }
  if (state.step === "number" && isPrintKey({ key, code })) {
    return { do: "print" };
  }
  return { do: "letter", letter: key.toLowerCase() };
}

function readDigit(key: string, inField: boolean, state: CounterState): CounterIntent | undefined {
  if (!isChoosing(state)) {
    return inField ? undefined : { do: "type", text: key };
  }
  if (key === "0") {
    return state.step === "offer" ? { do: "same-as-last" } : undefined;
  }
  return { do: "pick", index: Number(key) - 1 };
}
