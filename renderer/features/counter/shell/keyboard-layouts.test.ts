import { describe, expect, it } from "vitest";
import { type ExpectedInput, type KeyReport, readKey } from "../../../lib/key-meaning.ts";
import { PLAIN_KEY } from "../../../lib/testing/key-reports.ts";
import { LAYOUT_EVENTS, LAYOUTS, type LayoutEvent, SYSTEMS } from "../testing/keyboard-layouts.ts";
import {
  FIELD,
  PLACES,
  TEXT_PLACES,
  TypedCounter,
  type TypedPlace,
} from "../testing/typed-counter.ts";

const GUATEMALA = { country: "GT", currency: "GTQ", divisor: 100, price: 5200 };
const STATES = [
  ...PLACES,
  ...TEXT_PLACES,
  FIELD,
  "field with words",
  "field with a number",
] as const;
type State = (typeof STATES)[number];
const FIELDS = ["digits", "number", "search", "text"] as const satisfies readonly ExpectedInput[];
/** States without a text field, in which every Alt combination is a shortcut. */
const WITHOUT_TEXT: ReadonlySet<State> = new Set([
  "voucher offers",
  "esim plans",
  "bill services",
  "topup offers",
  "topup carriers",
  "topup countries",
]);
/** States whose field takes words: digits of another script or row are text there. */
const OF_WORDS: readonly State[] = [
  "field with words",
  "e-mail of a gift card",
  "name of a held sale",
];

/** Possible focus: outside of a field, or in the step's own field with its expected input. */
function focusIn(state: State): readonly (ExpectedInput | undefined)[] {
  if (OF_WORDS.includes(state)) return [undefined, "text"];
  if (state === "account of a bill") return [undefined, "number"];
  return state === "discount" ? [undefined, "digits"] : [undefined];
}
const LATER = 100_000;

/** Opens a counter with two lines in its basket, so that each event has something to remove. */
function open(state: State): TypedCounter {
  const isField = state === "field with words" || state === "field with a number";
  const place: TypedPlace = isField ? FIELD : state;
  const hasBasket =
    !place.startsWith("confirm") && place !== "discount" && place !== "name of a held sale";
  const counter = new TypedCounter(place, GUATEMALA, { hasBasket });
  const typed =
    { "field with words": "eegsa", "field with a number": "5123" }[state as never] ?? "";
  for (const [index, key] of [...(typed as string)].entries()) {
    counter.press(key, index * 1000);
  }
  return counter;
}

/** Returns everything that a key can change, except typed text. */
function actionsOf({ state, paid, chosen, commands, held, discounts }: TypedCounter) {
  const { sale, family, drafts } = state;
  const lines = sale.attempt?.lines.map(({ transactionId }) => transactionId);
  const steps = [drafts.TOPUP.step, drafts.VOUCHER.step, drafts.ESIM.step, drafts.BILL_PAY.step];
  const { brands, tiles } = drafts.VOUCHER;
  const { knownNumber, focusedTile } = drafts.TOPUP;
  const focused = [knownNumber, focusedTile, brands.focused, tiles.focused];
  const { others } = sale.tender;
  const { confirming } = sale;
  return {
    lines,
    steps,
    focused,
    others,
    confirming,
    family,
    paid,
    chosen,
    commands,
    held,
    discounts,
  };
}

/** Events that differ only in the layout's name are tested once. */
const DISTINCT = new Map<string, LayoutEvent>(
  LAYOUT_EVENTS.map((event) => [
    JSON.stringify([event.means, event.report, event.system === "macos"]),
    event,
  ]),
);

const isOnMac = ({ system }: LayoutEvent) => system === "macos";
const ENTER: KeyReport = { ...PLAIN_KEY, key: "Enter", code: "Enter", keyCode: 13 };

describe("key events of ten layouts", () => {
  it("each key event has the intended meaning in every kind of field", () => {
    const wrong: unknown[] = [];
    for (const event of LAYOUT_EVENTS) {
      for (const expected of FIELDS) {
        const { kind, ...rest } = readKey(event.report, expected, isOnMac(event));
        const isRight = {
          character: ["text", "ignored", "unread"].includes(kind),
          composition: kind === "composing",
          system: kind === "ignored",
          digit:
            (kind === "digit" && "digit" in rest && rest.digit === event.digit) ||
            (expected === "text" && kind === "text"),
        }[event.means];
        if (!isRight) wrong.push([event, expected, kind]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("every tested state of the counter is different and has a basket", () => {
    const opened = new Set(STATES.map((state) => JSON.stringify(open(state).state)));
    expect(opened.size).toBe(STATES.length);
    for (const state of STATES) expect(actionsOf(open(state)).lines, state).not.toEqual([]);
  });

  it("no key event causes an unintended action in any state of the counter", () => {
    const wrong: unknown[] = [];
    for (const event of DISTINCT.values()) {
      if (event.means === "digit") continue;
      for (const state of STATES) {
        const isShortcut = event.report.altKey && WITHOUT_TEXT.has(state);
        if (event.means === "character" && isShortcut) continue;
        for (const field of focusIn(state)) {
          const counter = open(state);
          const before = actionsOf(counter);
          counter.pressReported(event.report, LATER, {
            isMac: isOnMac(event),
            ...(field && { field }),
          });
          try {
            expect(actionsOf(counter)).toEqual(before);
          } catch {
            wrong.push([event, state, field, actionsOf(counter)]);
          }
        }
      }
    }
    expect(LAYOUT_EVENTS.length).toBeGreaterThan(LAYOUTS.length * SYSTEMS.length);
    expect(wrong).toEqual([]);
  });

  it("each digit of a layout acts like the plain digit, even with Enter after the digit", () => {
    const wrong: unknown[] = [];
    for (const event of DISTINCT.values()) {
      if (event.means !== "digit" || event.digit === undefined) continue;
      for (const state of STATES) {
        if (OF_WORDS.includes(state)) continue;
        const counters = [open(state), open(state)] as const;
        counters[0].pressReported(event.report, LATER, { isMac: isOnMac(event) });
        const code = `Digit${event.digit}`;
        counters[1].pressReported({ ...ENTER, key: event.digit, code }, LATER);
        for (const counter of counters) counter.pressReported(ENTER, LATER + 2000);
        const [first, second] = counters.map(({ state: now, paid }) => JSON.stringify([now, paid]));
        if (first !== second) wrong.push([event, state]);
      }
    }
    expect(wrong).toEqual([]);
  });
});
