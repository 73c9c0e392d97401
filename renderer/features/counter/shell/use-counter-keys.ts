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
import { familyOfKey } from "../families/index.ts";
import type { StepControl, Waits } from "../ui/step-control.ts";
import type { CounterActions } from "./counter-actions.ts";
import {
  type CounterIntent,
  expectedIn,
  type KeyPlace,
  type KeyPress,
  readCounterKey,
  toPress,
} from "./counter-keys.ts";
import { isPastedNumber, RowSoFar } from "./digit-row.ts";
import { pressKey } from "./press-key.ts";
import type { Counter } from "./use-counter.ts";

export const NOTHING_AHEAD: TypedAhead = { keys: [], leaving: undefined };

/** What picks or goes on: without the answer there is nothing to do it with. */
const DECIDING: ReadonlySet<CounterIntent["do"]> = new Set(["proceed", "pick", "zero", "letter"]);
const MOVING = new Set(["Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

/** Digits typed anywhere, and every shortcut of the counter, while the counter is shown. */
export function useCounterKeys(counter: Counter, actions: CounterActions): void {
  const [ahead, dispatch] = useReducer(aheadReducer, NOTHING_AHEAD);
  // What the digits before a key mean for it is shown nowhere: no key draws the counter anew for it.
  const [row] = useState(() => new RowSoFar());
  const [lone] = useState(() => new LoneLetter());
  useEffect(() => () => lone.drop(), [lone]);

  /** Does what a key means here, and tells what it was; nothing where it is the browser's. */
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
    const press = pressOf(event, step, counter.control);
    const begun = isLetter(press) && !beginsWord(press, step) ? lone.join() : undefined;
    if (begun !== undefined) {
      // The letter that prints was the first of a word: the field has it before this one.
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
      // A key that means nothing here, such as Tab, draws nothing anew: the browser has it next.
      if (ahead !== NOTHING_AHEAD) {
        dispatch({ type: "forgotten" });
      }
      event.preventDefault();
      const isOnTile = targetOf(event)?.closest("[data-own-keys]");
      if (isOnTile && isOneSign(event) && step.typing !== "none") {
        // What is typed on a tile is typed into the field, which has the rest of it.
        restFocus();
      }
    }
  }
  // What opens a family here is open at once.
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
  /** Does what a key means here. */
  readonly act: (press: KeyPress) => ReturnType<typeof pressKey>["did"];
  readonly dispatch: (event: AheadEvent) => void;
}

/** Hands keys that were typed ahead to the step that they were meant for, once it is shown. */
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
    // The rest of a number is no key for the step that was left.
    const rest = act(press) === "number" ? { ...left, leaving: undefined } : left;
    dispatch({ type: "caught-up", left: rest, seen });
  });
  // One key after the other: each may lead to another step, which reads the next one. At once, so
  // that no key that is pressed meanwhile finds the step before.
  const { step: name, control } = counter;
  const { waits } = control;
  useLayoutEffect(() => catchUp(ahead, { name, waits }), [ahead, name, waits]);
}

/** A number that is pasted where digits choose begins a line, as one that is typed there. */
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

/** The key by its meaning in the step (rules#key-one-meaning). */
function pressOf(
  event: KeyboardEvent,
  step: OpenStep,
  { holdsName = false }: StepControl,
): KeyPress {
  const inField = isInField(event);
  const expected = inField ? expectedBy(event.target) : expectedIn(step.typing, holdsName);
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

/** Whether a letter prints where it stands alone, in the field where words are typed, too. */
function beginsWord(press: KeyPress, step: OpenStep): boolean {
  const isFree = step.typing === "number" && step.waits === undefined;
  return isFree && isLetter(press) && readCounterKey(press, step)?.do === "print";
}

/** Whether a key is meant for the field or the control that has the focus. */
function isOfAnother(event: KeyboardEvent): boolean {
  const target = targetOf(event);
  // A button reached with Tab keeps its own Enter and Space.
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

/** Keys that came sooner than the answer that says what they mean, in their order. */
export interface TypedAhead {
  readonly keys: readonly KeyPress[];
  /** The step that Enter was pressed in, and that may turn out not to be left. */
  readonly leaving: string | undefined;
}

/** The step that is open. */
export interface OpenStep extends KeyPlace {
  /** Another for every step. */
  readonly name: string;
  readonly waits: Waits | undefined;
  /** Keys that were typed before it was in sight are none for it. */
  readonly confirmsFirst?: boolean;
  /** It shows the result of a sale, which Enter closes. */
  readonly showsResult?: boolean;
  /** Whether there are digits in it that Enter leaves behind, where it leads on. */
  readonly holdsNumber?: boolean;
}

/**
 * Whether a key has to wait. Those that change their mind (Esc, another family) never do, but for a
 * family while money is taken, which is what comes after it; Backspace, where there is a key to take
 * back.
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

/** With one key more; Backspace takes the last one back. */
function typeAhead(ahead: TypedAhead, press: KeyPress, step: OpenStep): TypedAhead {
  if (press.key === "Backspace") {
    return ahead.keys.length > 1 ? { ...ahead, keys: ahead.keys.slice(0, -1) } : NOTHING_AHEAD;
  }
  return {
    // By then the field that it was pressed in may be gone.
    keys: [...ahead.keys, { ...press, inField: false, isAhead: true }],
    leaving: step.waits === "next" ? step.name : ahead.leaving,
  };
}

/**
 * The first of the keys, once it is known what they mean, and what is left of them; undefined
 * while nothing is to be done. Keys for the next step are forgotten where Enter did not lead to
 * it, or to a question first: a digit that was meant for a tile must not change a number. No Enter
 * takes money before the step that says what is paid for was in sight, or closes a result before that was.
 */
export function nextTyped(
  ahead: TypedAhead,
  step: OpenStep,
): { readonly press?: KeyPress; readonly left: TypedAhead } | undefined {
  const [press, ...keys] = ahead.keys;
  if (!press || step.waits === "next") {
    return undefined;
  }
  // None of these digits was typed after a look: where they can be text, they are.
  const { picksDigit: _, ...place } = step;
  const intent = readCounterKey(press, place);
  // What is text needs no answer: left waiting, it would be forgotten with the next family's key.
  if (step.waits === "here" && intent?.do !== "type") {
    return undefined;
  }
  const isBlind = step.confirmsFirst || (step.confirming && intent?.do === "proceed");
  if (ahead.leaving === step.name || isBlind) {
    return { left: NOTHING_AHEAD };
  }
  // What is typed behind it is the next sale's.
  if (step.showsResult && intent?.do === "proceed") {
    return { left: { keys, leaving: ahead.leaving } };
  }
  const leaving = step.holdsNumber && intent?.do === "proceed" ? step.name : ahead.leaving;
  return { ...(intent && { press }), left: { keys, leaving } };
}

type AheadEvent =
  /** A key came sooner than the answer that says what it means. */
  | { readonly type: "typed-ahead"; readonly press: KeyPress; readonly step: OpenStep }
  /** Another key was carried out meanwhile: those that wait are none any more. */
  | { readonly type: "forgotten" }
  /** The first of those that wait was carried out; `left` is what is left of the `seen` there were. */
  | { readonly type: "caught-up"; readonly left: TypedAhead; readonly seen: number };

export function aheadReducer(ahead: TypedAhead, event: AheadEvent): TypedAhead {
  switch (event.type) {
    case "typed-ahead":
      return typeAhead(ahead, event.press, event.step);
    case "forgotten":
      return NOTHING_AHEAD;
    case "caught-up": {
      const { left, seen } = event;
      // Keys that came meanwhile are behind those.
      return left === NOTHING_AHEAD
        ? left
        : { ...left, keys: [...left.keys, ...ahead.keys.slice(seen)] };
    }
  }
}
