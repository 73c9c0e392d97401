import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useState } from "react";
import {
  expectedBy,
  isTypingText,
  markUnread,
  meaningOf,
  reportOf,
} from "../../../lib/key-edge.ts";
import { MODIFIERS } from "../../../lib/key-meaning.ts";
import { LoneLetter } from "../../../lib/lone-letter.ts";
import { isDialogOpen } from "../../../lib/open-dialogs.ts";
import { restFocus } from "../../../lib/rest-focus.ts";
import { hasScreenCommand } from "../../../lib/screen-commands.ts";
import { areSingleKeysOn, isOnControl, takesText } from "../../../lib/single-keys.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { familyOfKey } from "../families/family-address.ts";
import type { StepControl, Waits } from "../ui/step-control.ts";
import {
  type CounterIntent,
  expectedIn,
  type KeyPlace,
  type KeyPress,
  readCounterKey,
  toPress,
} from "./counter-keys.ts";
import { isPastedNumber, RowSoFar } from "./digit-row.ts";
import { type CounterActions, pressKey } from "./press-key.ts";
import type { Counter } from "./use-counter.ts";

export const NOTHING_AHEAD: TypedAhead = { keys: [], leaving: undefined };

const DECIDING: ReadonlySet<CounterIntent["do"]> = new Set(["proceed", "pick", "zero", "letter"]);
const MOVING = new Set(["Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

export function useCounterKeys(counter: Counter, actions: CounterActions): void {
  const [ahead, dispatch] = useReducer(aheadReducer, NOTHING_AHEAD);
  // Stored outside React's state: a change of the row must not render the counter.
  const [row] = useState(() => new RowSoFar());
  const [lone] = useState(() => new LoneLetter());
  useEffect(() => () => lone.drop(), [lone]);

  function act(press: KeyPress, isHeldDown = false) {
    const pressed = { step: openStep(counter), counter, actions, isHeldDown };
    const done = pressKey(press, row.read(), pressed);
    row.goOn(done.row);
    return done.did;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented) {
      return;
    }
    if (isOfAnother(event)) {
      row.end();
      return;
    }
    const step = openStep(counter);
    const press = pressOf(event, counter.control);
    const begun = isLetter(press) && !beginsWord(press, step) ? lone.join() : undefined;
    if (begun !== undefined) {
      // The delayed P is the first letter of a word and goes into the field first.
      event.preventDefault();
      counter.control.type?.((text) => text + begun);
      dispatch({ type: "typed-ahead", press, step });
      return;
    }
    if (!MODIFIERS.has(press.key) && !event.repeat) {
      lone.settle();
    }
    if (ahead.keys.length === 0 && beginsWord(press, step)) {
      event.preventDefault();
      if (!event.repeat) {
        lone.press(press.key, () => actions.run("print"));
      }
      return;
    }
    if (isTypedAhead(press, ahead, step)) {
      event.preventDefault();
      if (!event.repeat) {
        dispatch({ type: "typed-ahead", press, step });
      }
      return;
    }
    if (act(press, event.repeat)) {
      // Dispatches only if keys wait, because each dispatch renders the counter.
      if (ahead !== NOTHING_AHEAD) {
        dispatch({ type: "forgotten" });
      }
      event.preventDefault();
      const isOnTile = targetOf(event)?.closest("[data-own-keys]");
      if (isOnTile && isOneSign(event) && step.typing !== "none") {
        // A character typed on a tile, and all further characters, go into the field.
        restFocus();
      }
    }
  }
  // Runs before other listeners: a family key has already opened its family when they run.
  useScreenKeys(onKeyDown, { first: true });
  usePastedNumber(counter);
  useEffect(() => {
    const onPointer = () => row.end();
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [row]);

  useCatchUp({ counter, ahead, row, act, dispatch });
}

interface CatchUp {
  readonly counter: Counter;
  readonly ahead: TypedAhead;
  readonly row: RowSoFar;
  readonly act: (press: KeyPress) => ReturnType<typeof pressKey>["did"];
  readonly dispatch: (event: AheadEvent) => void;
}

/** Hands typed-ahead keys to the intended step after the step is shown. */
function useCatchUp({ counter, ahead, row, act, dispatch }: CatchUp): void {
  const catchUp = useEffectEvent((waiting: TypedAhead, shown: Pick<OpenStep, "name" | "waits">) => {
    const next = nextTyped(waiting, { ...openStep(counter), ...shown });
    if (!next) {
      return;
    }
    const { press, left } = next;
    const seen = waiting.keys.length;
    if (!press) {
      row.end();
      return dispatch({ type: "caught-up", left, seen });
    }
    const [follows] = left.keys;
    if (follows && isLetter(follows) && beginsWord(press, openStep(counter))) {
      counter.control.type?.((text) => text + press.key);
      return dispatch({ type: "caught-up", left, seen });
    }
    // The number opened the first step, to which its remaining digits belong.
    const rest = act(press) === "number" ? { ...left, leaving: undefined } : left;
    dispatch({ type: "caught-up", left: rest, seen });
  });
  // One key at a time, because each may open a step that gives the next key another meaning. In a
  // layout effect, so that no new key reaches the previous step.
  const { step: name, control } = counter;
  const { waits } = control;
  useLayoutEffect(() => catchUp(ahead, { name, waits }), [ahead, name, waits]);
}

/** Starts a line with a phone number that is pasted in a step where digits pick. */
function usePastedNumber(counter: Counter): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const text = (event.clipboardData?.getData("text") ?? "").trim().replace(/^tel:/i, "");
    const { typing, waits, confirming, takesCash } = openStep(counter);
    const chooses = typing === "none" || typing === "search" || takesCash;
    const isNumber =
      chooses && !isDialogOpen() && !waits && isPastedNumber(text, counter.fewestDigits);
    if (isNumber && !isElsewhere(event)) {
      event.preventDefault();
      counter.beginNumber({ text, keepsItem: confirming });
    }
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}

function openStep({ control, state, step, result }: Counter): OpenStep {
  const { typing, waits, confirmsFirst = false, holdsNumber = false, holdsName, turnTab } = control;
  const { picksDigit } = control;
  return {
    name: step,
    typing,
    waits,
    confirmsFirst,
    showsResult: result !== undefined,
    holdsNumber,
    confirming: state.sale.confirming,
    takesCash: state.sale.confirming && !state.sale.entry,
    hasEntry: state.sale.entry !== undefined,
    canPrint: !holdsName && hasScreenCommand("print"),
    hasTabs: turnTab !== undefined,
    singleKeys: areSingleKeysOn(),
    ...(picksDigit && { picksDigit }),
  };
}

/** Interprets a key event in the step (rules#key-one-meaning). */
function pressOf(event: KeyboardEvent, control: StepControl): KeyPress {
  const inField = isInField(event);
  const expected = inField ? expectedBy(event.target) : expectedIn(control);
  const meaning = meaningOf(event, expected);
  if (meaning.kind === "unread" && expected === "digits" && !inField) {
    markUnread();
  }
  return toPress(reportOf(event), meaning, {
    inField,
    isInText: isTypingText(event),
    at: event.timeStamp,
    rtl: document.documentElement.dir === "rtl",
  });
}

function isLetter({ key, alt, ctrl }: KeyPress): boolean {
  return !alt && !ctrl && /^\p{L}$/u.test(key);
}

/**
 * Returns whether a letter means "print" unless another letter follows. Also true in a field for
 * words.
 */
function beginsWord(press: KeyPress, step: OpenStep): boolean {
  const isFree = step.typing === "number" && step.waits === undefined;
  return isFree && isLetter(press) && readCounterKey(press, step)?.do === "print";
}

function isOfAnother(event: KeyboardEvent): boolean {
  const target = targetOf(event);
  // A focused button handles Enter and Space itself.
  const isPress = isButton(target) && (event.key === "Enter" || event.key === " ");
  return isElsewhere(event) || isPress || (isOneSign(event) && isOnControl(target ?? null));
}

function isOneSign({ key, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !altKey;
}

function isButton(target: HTMLElement | undefined): boolean {
  return target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
}

function targetOf(event: Event): HTMLElement | undefined {
  return event.target instanceof HTMLElement ? event.target : undefined;
}

function isInField(event: Event): boolean {
  return targetOf(event)?.dataset.counterField !== undefined;
}

function isElsewhere(event: Event): boolean {
  const target = targetOf(event);
  if (!target || isInField(event)) {
    return false;
  }
  return takesText(target) || target.closest("[role=dialog], [role=listbox], [role=menu]") !== null;
}

/** Keys pressed before the answer that determines their meaning, in order. */
export interface TypedAhead {
  readonly keys: readonly KeyPress[];
  /** Step in which Enter was pressed. Enter may turn out not to leave it. */
  readonly leaving: string | undefined;
}

export interface OpenStep extends KeyPlace {
  /** Unique across families. */
  readonly name: string;
  readonly waits: Waits | undefined;
  readonly confirmsFirst?: boolean;
  /** True if the step shows the result of a sale, which Enter closes. */
  readonly showsResult?: boolean;
  readonly holdsNumber?: boolean;
}

/**
 * Returns whether a key must wait. Esc never waits, and family keys wait only during a payment.
 * Backspace waits if it can remove a typed-ahead key.
 */
export function isTypedAhead(press: KeyPress, { keys }: TypedAhead, step: OpenStep): boolean {
  if (press.ctrl || press.alt) {
    return false;
  }
  if (press.key === "Backspace") {
    return keys.length > 0;
  }
  const isPaying = step.confirming && step.waits === "next";
  if (isPaying && familyOfKey(press.key) !== undefined) {
    return true;
  }
  const isPlain = [...press.key].length === 1 || MOVING.has(press.key);
  if (!isPlain) {
    return false;
  }
  if (keys.length > 0 || step.waits === "next") {
    return true;
  }
  const intent = step.waits === "here" ? readCounterKey(press, step) : undefined;
  return intent !== undefined && DECIDING.has(intent.do);
}

/** Appends a typed-ahead key. Backspace removes the last typed-ahead key. */
function typeAhead(ahead: TypedAhead, press: KeyPress, step: OpenStep): TypedAhead {
  if (press.key === "Backspace") {
    return ahead.keys.length > 1 ? { ...ahead, keys: ahead.keys.slice(0, -1) } : NOTHING_AHEAD;
  }
  return {
    // The focused field may be gone when the key is handled.
    keys: [...ahead.keys, { ...press, inField: false, isAhead: true }],
    leaving: step.waits === "next" ? step.name : ahead.leaving,
  };
}

/**
 * Returns the first key whose meaning is known, and the remaining keys. Keys for the next step are
 * discarded if Enter did not open it or opened a question first, because a digit meant for a tile
 * must not change a number. Enter neither takes money before the payment was visible, nor closes a
 * result before it was visible.
 */
export function nextTyped(
  ahead: TypedAhead,
  step: OpenStep,
): { readonly press?: KeyPress; readonly left: TypedAhead } | undefined {
  const [press, ...keys] = ahead.keys;
  if (!press || step.waits === "next") {
    return undefined;
  }
  // The clerk has not seen this step, so a digit is text where it could be text or a pick.
  const { picksDigit: _, ...place } = step;
  const intent = readCounterKey(press, place);
  // Text does not wait. Otherwise a following family key would discard it.
  if (step.waits === "here" && intent?.do !== "type") {
    return undefined;
  }
  const isBlind = step.confirmsFirst || (step.confirming && intent?.do === "proceed");
  if (ahead.leaving === step.name || isBlind) {
    return { left: NOTHING_AHEAD };
  }
  // Keys typed after the result are meant for the next sale.
  if (step.showsResult && intent?.do === "proceed") {
    return { left: { keys, leaving: ahead.leaving } };
  }
  const leaving = step.holdsNumber && intent?.do === "proceed" ? step.name : ahead.leaving;
  return { ...(intent && { press }), left: { keys, leaving } };
}

type AheadEvent =
  | { readonly type: "typed-ahead"; readonly press: KeyPress; readonly step: OpenStep }
  /** Another key was handled and discards the waiting keys. */
  | { readonly type: "forgotten" }
  /** A waiting key was handled. `left` replaces the first `seen` keys. */
  | { readonly type: "caught-up"; readonly left: TypedAhead; readonly seen: number };

export function aheadReducer(ahead: TypedAhead, event: AheadEvent): TypedAhead {
  switch (event.type) {
    case "typed-ahead":
      return typeAhead(ahead, event.press, event.step);
    case "forgotten":
      return NOTHING_AHEAD;
    case "caught-up": {
      const { left, seen } = event;
      return left === NOTHING_AHEAD
        ? left
        : { ...left, keys: [...left.keys, ...ahead.keys.slice(seen)] };
    }
  }
}
