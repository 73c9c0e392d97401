import { useEffect, useRef } from "react";
import { type CounterActions, carryOut } from "./counter-actions.ts";
import { readCounterKey } from "./counter-keys.ts";
import type { Counter } from "./use-counter.ts";

/** Marks the step's own field, which edits digits itself. */
export const OWN_FIELD = { "data-counter-field": true } as const;

/** Digits typed anywhere, and every shortcut of the counter, while the counter is shown. */
export function useCounterKeys(counter: Counter, actions: CounterActions): void {
  const latest = useRef({ counter, actions });
  latest.current = { counter, actions };

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      const inField = target?.dataset.counterField !== undefined;
      if (event.defaultPrevented || event.isComposing || isElsewhere(target, inField)) {
        return;
      }
      // A button somebody moved to with Tab keeps its own Enter and Space.
      if (isButton(target) && (event.key === "Enter" || event.key === " ")) {
        return;
      }
      const now = latest.current;
      const intent = readCounterKey(
        {
          key: event.key,
          code: event.code,
          alt: event.altKey,
          ctrl: event.ctrlKey || event.metaKey,
          inField,
        },
        now.counter.state,
      );
      if (intent) {
        event.preventDefault();
        // Held down, Enter would run through every step by itself.
        if (!(event.repeat && intent.do === "proceed")) {
          carryOut(intent, now.counter, now.actions);
        }
      }
    }
    globalThis.addEventListener("keydown", onKeyDown);
    return () => globalThis.removeEventListener("keydown", onKeyDown);
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
