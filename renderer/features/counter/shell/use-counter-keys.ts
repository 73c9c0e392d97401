import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef } from "react";
import { isDialogOpen } from "../../../lib/open-dialogs.ts";
import { restFocus } from "../../../lib/rest-focus.ts";
import { hasScreenCommand } from "../../../lib/screen-commands.ts";
import { areSingleKeysOn, isOnControl, takesText } from "../../../lib/single-keys.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import type { CounterActions } from "./counter-actions.ts";
import type { KeyPress } from "./counter-keys.ts";
import { isPastedNumber, NO_ROW } from "./digit-row.ts";
import { pressKey } from "./press-key.ts";
import {
  isTypedAhead,
  NOTHING_AHEAD,
  nextTyped,
  type OpenStep,
  type TypedAhead,
  typeAhead,
} from "./typed-ahead.ts";
import type { Counter } from "./use-counter.ts";

/** Digits typed anywhere, and every shortcut of the counter, while the counter is shown. */
export function useCounterKeys(counter: Counter, actions: CounterActions): void {
  const [changes, change] = useReducer((count: number) => count + 1, 0);
  const ahead = useRef(NOTHING_AHEAD);
  function keepAhead(now: TypedAhead) {
    if (now !== ahead.current) {
      ahead.current = now;
      change();
    }
  }
  /** One was carried out that this counter does not show yet: the next wait for it. */
  const isBehind = useRef(false);
  useLayoutEffect(() => {
    isBehind.current = false;
  });
  const row = useRef(NO_ROW);

  function act(press: KeyPress, isHeldDown = false) {
    const done = pressKey(press, row.current, {
      step: openStep(counter),
      counter,
      actions,
      isHeldDown,
    });
    row.current = done.row;
    return done.did;
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const inField = target?.dataset.counterField !== undefined;
    if (event.defaultPrevented || event.isComposing) {
      return;
    }
    const isOneSign = [...event.key].length === 1 && !event.altKey;
    if (isElsewhere(target, inField) || (isOneSign && isOnControl(target ?? null))) {
      row.current = NO_ROW;
      return;
    }
    // A button somebody moved to with Tab keeps its own Enter and Space.
    if (isButton(target) && (event.key === "Enter" || event.key === " ")) {
      row.current = NO_ROW;
      return;
    }
    const { key, code, altKey: alt, timeStamp: at } = event;
    const rtl = document.documentElement.dir === "rtl";
    const press = { key, code, alt, ctrl: event.ctrlKey || event.metaKey, inField, at, rtl };
    const step = openStep(counter);
    if (isTypedAhead(press, ahead.current, step, isBehind.current)) {
      event.preventDefault();
      if (!event.repeat) {
        keepAhead(typeAhead(ahead.current, press, step));
      }
      return;
    }
    if (act(press, event.repeat)) {
      event.preventDefault();
      keepAhead(NOTHING_AHEAD);
      if (target?.closest("[data-own-keys]") && isOneSign && step.typing !== "none") {
        // What is typed on a tile is typed into the field, which has the rest of it.
        restFocus();
      }
    }
  }
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const inField = target?.dataset.counterField !== undefined;
    const text = event.clipboardData?.getData("text") ?? "";
    const { typing, waits, confirming, takesCash } = openStep(counter);
    const chooses = typing === "none" || typing === "search" || takesCash;
    const isNumber =
      chooses && !isDialogOpen() && !waits && isPastedNumber(text, counter.fewestDigits);
    if (isNumber && !isElsewhere(target, inField)) {
      event.preventDefault();
      counter.beginNumber({ text, keepsItem: confirming });
    }
  });
  // What opens a family here is open at once.
  useScreenKeys(onKeyDown, { first: true });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => onPaste(event);
    const onPointer = () => {
      row.current = NO_ROW;
    };
    document.addEventListener("paste", paste);
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("paste", paste);
      document.removeEventListener("pointerdown", onPointer);
    };
  }, []);

  const catchUp = useEffectEvent(() => {
    const next = nextTyped(ahead.current, openStep(counter));
    if (next) {
      isBehind.current = next.press !== undefined;
      if (!next.press) {
        row.current = NO_ROW;
      }
      const isNumber = next.press && act(next.press) === "number";
      // The rest of a number is no key for the step that was left.
      keepAhead(isNumber ? { ...next.left, leaving: undefined } : next.left);
    }
  });
  // One key after the other: each may lead to another step, which reads the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when they change
  useEffect(() => catchUp(), [changes, counter.step, counter.control.waits]);
}

function openStep({ control, state, step }: Counter): OpenStep {
  const { typing, waits, asksFirst = false, holdsNumber = false, holdsName, turnTab } = control;
  return {
    name: step,
    typing,
    waits,
    asksFirst,
    holdsNumber,
    confirming: state.sale.confirming,
    takesCash: state.sale.confirming && !state.sale.entry,
    canPrint: !holdsName && hasScreenCommand("print"),
    hasTabs: turnTab !== undefined,
    singleKeys: areSingleKeysOn(),
  };
}

function isButton(target: HTMLElement | undefined): boolean {
  return target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
}

function isElsewhere(target: HTMLElement | undefined, inField: boolean): boolean {
  if (inField || !target) {
    return false;
  }
  return takesText(target) || target.closest("[role=dialog], [role=listbox], [role=menu]") !== null;
}
