import { familyOfKey } from "../families/index.ts";
import type { Waits } from "../ui/step-control.ts";
import type { CounterIntent, KeyPlace, KeyPress } from "./counter-keys.ts";
import { readCounterKey } from "./counter-keys.ts";

/** Keys that came sooner than the answer that says what they mean, in their order. */
export interface TypedAhead {
  readonly keys: readonly KeyPress[];
  /** The step that Enter was pressed in, and that may turn out not to be left. */
  readonly leaving: string | undefined;
}

export const NOTHING_AHEAD: TypedAhead = { keys: [], leaving: undefined };

/** The step that is open. */
export interface OpenStep extends KeyPlace {
  /** Another for every step. */
  readonly name: string;
  readonly waits: Waits | undefined;
  /** Keys that were typed before it was in sight are none for it. */
  readonly confirmsFirst?: boolean;
  /** Whether there are digits in it that Enter leaves behind, where it leads on. */
  readonly holdsNumber?: boolean;
}

/** What picks or goes on: without the answer there is nothing to do it with. */
const DECIDING: ReadonlySet<CounterIntent["do"]> = new Set(["proceed", "pick", "zero", "letter"]);
const MOVING = new Set(["Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

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
 * takes money before the step that says what is paid for was in sight.
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
  const leaving = step.holdsNumber && intent?.do === "proceed" ? step.name : ahead.leaving;
  return { ...(intent && { press }), left: { keys, leaving } };
}

export type AheadEvent =
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
