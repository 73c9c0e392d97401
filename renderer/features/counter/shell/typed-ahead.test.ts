import { describe, expect, it } from "vitest";
import { type CounterIntent, type KeyPress, readCounterKey } from "./counter-keys.ts";
import {
  aheadReducer,
  isTypedAhead,
  NOTHING_AHEAD,
  nextTyped,
  type OpenStep,
  type TypedAhead,
} from "./use-counter-keys.ts";

const number: OpenStep = {
  name: "TOPUP number",
  typing: "number",
  waits: "next",
  confirming: false,
  hasTabs: false,
};
const offers: OpenStep = { ...number, name: "TOPUP offer", typing: "none", waits: undefined };
const picker: OpenStep = { ...offers, name: "VOUCHER brand", typing: "search", waits: "here" };
const confirm: OpenStep = { ...offers, name: "confirm", typing: "amount", confirming: true };

function pressOf(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, code: "", alt: false, ctrl: false, inField: true, at: 0, ...more };
}

function typed(step: OpenStep, ...keys: string[]): TypedAhead {
  return keys.reduce(
    (ahead, key) =>
      isTypedAhead(pressOf(key), ahead, step)
        ? aheadReducer(ahead, { type: "typed-ahead", press: pressOf(key), step })
        : ahead,
    NOTHING_AHEAD,
  );
}

function carriedOut(ahead: TypedAhead, ...steps: OpenStep[]): (CounterIntent | undefined)[] {
  const done: (CounterIntent | undefined)[] = [];
  let left = ahead;
  for (const step of steps) {
    const next = nextTyped(left, step);
    done.push(next?.press && readCounterKey(next.press, step));
    left = next?.left ?? left;
  }
  expect(left.keys).toEqual([]);
  return done;
}

describe("typed-ahead queue", () => {
  it("hands the keys in order to the step that Enter opens", () => {
    const ahead = typed(number, "5", "0");
    expect(nextTyped(ahead, number)).toBeUndefined();
    expect(nextTyped(ahead, { ...offers, waits: "here" })).toBeUndefined();
    expect(carriedOut(ahead, offers, confirm)).toEqual([
      { do: "pick", index: 4 },
      { do: "type", text: "0" },
    ]);
  });

  it("discards keys typed after Enter if Enter does not leave the number step", () => {
    const ahead = typed(number, "7", "Enter");
    expect(carriedOut(ahead, { ...number, waits: undefined })).toEqual([undefined]);
  });

  it("takes no money before the payment step was visible", () => {
    const ahead = typed(number, "5", "Enter", "5");
    expect(carriedOut(ahead, offers, confirm)).toEqual([{ do: "pick", index: 4 }, undefined]);
  });

  it("answers no question before the question was visible", () => {
    const ahead = typed(number, "1", "Enter");
    const question: OpenStep = { ...offers, name: "TOPUP country", confirmsFirst: true };
    expect(carriedOut(ahead, question)).toEqual([undefined]);
    expect(typed(question, "1").keys).toEqual([]);
  });

  it("types search letters at once, and picks from the results after the results arrive", () => {
    expect(typed(picker, "a", "m").keys).toEqual([]);
    const ahead = typed(picker, "a", "Enter", "5");
    expect(ahead.keys.map(({ key }) => key)).toEqual(["Enter", "5"]);
    expect(carriedOut(ahead, { ...picker, waits: undefined }, offers)).toEqual([
      { do: "proceed" },
      { do: "pick", index: 4 },
    ]);
  });

  it("types all text into the next step before the search of that step is complete", () => {
    const ahead = typed({ ...confirm, waits: "next" }, "w", "a", "l", "m", "5", "Enter");
    const searching: OpenStep = { ...number, waits: "here" };
    let left = ahead;
    for (const text of "walm5") {
      const next = nextTyped(left, { ...searching, picksDigit: () => true });
      expect(next?.press && readCounterKey(next.press, searching)).toEqual({ do: "type", text });
      left = next?.left ?? NOTHING_AHEAD;
    }
    expect(left.keys.map(({ key }) => key)).toEqual(["Enter"]);
    expect(nextTyped(left, searching)).toBeUndefined();
  });

  it("removes typed-ahead keys one by one with Backspace, and nothing else", () => {
    expect(typed(number, "5", "0", "Backspace").keys.map(({ key }) => key)).toEqual(["5"]);
    expect(typed(number, "5", "Backspace")).toEqual(NOTHING_AHEAD);
    expect(isTypedAhead(pressOf("Backspace"), NOTHING_AHEAD, number)).toBe(false);
  });

  it("applies keys typed during a payment after the payment, also in another family", () => {
    const ahead = typed({ ...confirm, waits: "next" }, "F2", "a");
    expect(
      carriedOut(ahead, { ...number, waits: undefined }, { ...picker, waits: undefined }),
    ).toEqual([
      { do: "family", family: "VOUCHER" },
      { do: "type", text: "a" },
    ]);
  });

  it("never changes the next customer's number with keys typed after Enter", () => {
    const ahead = typed({ ...confirm, waits: "next" }, "Enter", "7", "Enter", "5", "Enter");
    const empty: OpenStep = { ...number, waits: undefined };
    const filled: OpenStep = { ...empty, holdsNumber: true };
    expect(carriedOut(ahead, empty, empty, filled, filled)).toEqual([
      { do: "proceed" },
      { do: "type", text: "7" },
      { do: "proceed" },
      undefined,
    ]);
    expect(carriedOut(ahead, empty, empty, filled, offers, confirm)).toEqual([
      { do: "proceed" },
      { do: "type", text: "7" },
      { do: "proceed" },
      { do: "pick", index: 4 },
      undefined,
    ]);
  });

  it("does not delay Escape, family keys or Alt shortcuts", () => {
    const ahead = typed(number, "5");
    for (const key of ["Escape", "F2"]) {
      expect(isTypedAhead(pressOf(key), ahead, number)).toBe(false);
    }
    expect(isTypedAhead(pressOf("c", { alt: true }), ahead, number)).toBe(false);
    expect(isTypedAhead(pressOf("v", { ctrl: true }), ahead, number)).toBe(false);
  });

  it("appends new keys to the waiting keys", () => {
    const ahead = typed(number, "1", "0");
    const after = aheadReducer(ahead, {
      type: "caught-up",
      left: { keys: [], leaving: undefined },
      seen: 1,
    });
    expect(after.keys.map(({ key }) => key)).toEqual(["0"]);
    expect(aheadReducer(after, { type: "forgotten" })).toBe(NOTHING_AHEAD);
  });
});
