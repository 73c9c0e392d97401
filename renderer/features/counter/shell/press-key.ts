import { type CounterActions, carryOut } from "./counter-actions.ts";
import { type KeyPlace, type KeyPress, readCounterKey } from "./counter-keys.ts";
import { type DigitRow, readRow } from "./digit-row.ts";
import type { Counter } from "./use-counter.ts";

/** Keys that, held down, would run through every step by themselves. */
const ONCE = new Set([
  "proceed",
  "pick",
  "zero",
  "sell-again",
  "keep-line",
  "family",
  "remove-line",
  "customer-refund",
]);

interface Pressed {
  readonly step: KeyPlace;
  readonly counter: Counter;
  readonly actions: CounterActions;
  /** It repeats because the key is held down. */
  readonly isHeldDown: boolean;
}

interface Done {
  readonly row: DigitRow;
  /** Nothing where the key is the browser's. */
  readonly did?: "number" | "key";
}

/** Carries a key out, or begins the number that is typed with it. */
export function pressKey(
  press: KeyPress,
  row: DigitRow,
  { step, counter, actions, isHeldDown }: Pressed,
): Done {
  if (isHeldDown && row.hasActed && /^\d$/.test(press.key)) {
    // It has chosen something: its repeats while held down are for no later field.
    return { row, did: "key" };
  }
  const intent = readCounterKey(press, step);
  const read = readRow(row, press, step, intent, counter.fewestDigits);
  if (read.number) {
    counter.beginNumber(read.number);
    return { row: read.row, did: "number" };
  }
  if (!intent) {
    return { row: read.row };
  }
  if (!(isHeldDown && ONCE.has(intent.do))) {
    carryOut(intent, counter, actions);
  }
  return { row: read.row, did: "key" };
}
