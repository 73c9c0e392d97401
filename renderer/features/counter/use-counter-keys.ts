import { useEffect, useEffectEvent, useReducer } from "react";
import { type CounterActions, carryOut } from "./counter-actions.ts";
import { readCounterKey } from "./counter-keys.ts";
import {
  isTypedAhead,
  NOTHING_AHEAD,
  nextTyped,
  type OpenStep,
  type TypedAhead,
  typeAhead,
} from "./typed-ahead.ts";
import type { Counter } from "./use-counter.ts";

/** Held down, these would run through every step by themselves. */
const ONCE = new Set(["proceed", "sell-again", "keep-line", "family", "remove-line", "give-back"]);

/** Marks the step's own field, which edits digits itself. */
export const OWN_FIELD = { "data-counter-field": true } as const;

/** Digits typed anywhere, and every shortcut of the counter, while the counter is shown. */
export function useCounterKeys(counter: Counter, actions: CounterActions): void {
  const [ahead, keepAhead] = useReducer(
    (_before: TypedAhead, now: TypedAhead) => now,
    NOTHING_AHEAD,
  );
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const inField = target?.dataset.counterField !== undefined;
    if (event.defaultPrevented || event.isComposing || isElsewhere(target, inField)) {
      return;
    }
    // A button somebody moved to with Tab keeps its own Enter and Space.
    if (isButton(target) && (event.key === "Enter" || event.key === " ")) {
      return;
    }
    const { key, code, altKey: alt } = event;
    const rtl = document.documentElement.dir === "rtl";
    const press = { key, code, alt, ctrl: event.ctrlKey || event.metaKey, inField, rtl };
    const step = openStep(counter);
    if (isTypedAhead(press, ahead, step)) {
      event.preventDefault();
      if (!event.repeat) {
        keepAhead(typeAhead(ahead, press, step));
      }
      return;
    }
    const intent = readCounterKey(press, step);
    if (!intent) {
      return;
    }
    event.preventDefault();
    keepAhead(NOTHING_AHEAD);
    if (!(event.repeat && ONCE.has(intent.do))) {
      carryOut(intent, counter, actions);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    // Before the menu hears of a key, at the window: what opens a family here is open at once.
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  const catchUp = useEffectEvent(() => {
    const next = nextTyped(ahead, openStep(counter));
    if (next) {
      keepAhead(next.left);
      if (next.intent) {
        carryOut(next.intent, counter, actions);
      }
    }
  });
  // One key after the other: each may lead to another step, which reads the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when they change
  useEffect(() => catchUp(), [ahead, counter.step, counter.control.waits]);
}

function openStep({ control, state, step }: Counter): OpenStep {
  const { typing, waits, asksFirst = false, turnTab } = control;
  return {
    name: step,
    typing,
    waits,
    asksFirst,
    holdsNumber: typing === "number" && state.topup.digits !== "",
    confirming: state.sale.confirming,
    canPrint: state.topup.query === "" && document.querySelector("[data-print-sale]") !== null,
    hasTabs: turnTab !== undefined,
  };
}

function isButton(target: HTMLElement | undefined): boolean {
  return target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
}

function isElsewhere(target: HTMLElement | undefined, inField: boolean): boolean {
  if (inField || !target) {
    return false;
  }
  return (
    target.matches("input, textarea, select, [contenteditable]") ||
    target.closest("[role=dialog], [role=listbox], [role=menu]") !== null
  );
}
