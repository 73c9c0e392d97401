import { useEffect, useEffectEvent } from "react";
import { type CounterActions, carryOut } from "./counter-actions.ts";
import { readCounterKey } from "./counter-keys.ts";
import type { Counter } from "./use-counter.ts";

/** Held down, these would run through every step by themselves. */
const ONCE = new Set(["proceed", "sell-again", "keep-line", "family", "remove-line", "give-back"]);

/** Marks the step's own field, which edits digits itself. */
export const OWN_FIELD = { "data-counter-field": true } as const;

/** Digits typed anywhere, and every shortcut of the counter, while the counter is shown. */
export function useCounterKeys(counter: Counter, actions: CounterActions): void {
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
    const intent = readCounterKey(press, {
      typing: counter.control.typing,
      confirming: counter.state.sale.confirming,
      canPrint:
        counter.state.topup.query === "" && document.querySelector("[data-print-sale]") !== null,
      hasTabs: counter.control.turnTab !== undefined,
    });
    if (!intent) {
      return;
    }
    event.preventDefault();
    if (!(event.repeat && ONCE.has(intent.do))) {
      carryOut(intent, counter, actions);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    globalThis.addEventListener("keydown", listener);
    return () => globalThis.removeEventListener("keydown", listener);
  }, []);
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
