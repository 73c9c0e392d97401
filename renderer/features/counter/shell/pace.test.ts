import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import { FIELD, PLACES, TypedCounter, type TypedPlace } from "../testing/typed-counter.ts";

const GUATEMALA = { country: "GT", currency: "GTQ", divisor: 100, price: 5200 };
const EVERYWHERE = [...PLACES, FIELD] as const;
const SIGNS = "0123456789abcdeghopqrwxyzCO%.-$:".split("");
const SCANNER_MS = 35;

function typeRow(counter: TypedCounter, keys: readonly string[], pause: number): void {
  for (const [index, key] of keys.entries()) {
    counter.press(key, 10_000 + index * pause);
  }
}

function linesOf({ state }: TypedCounter): number {
  return state.sale.attempt?.lines.length ?? 0;
}

describe("scanner input", () => {
  it("pays nothing and picks nothing in any step, and fills the number field", {
    tags: ["thorough"],
  }, () => {
    const code = array(constantFrom(...SIGNS), { minLength: 6, maxLength: 24 });
    assert(
      property(
        constantFrom(...PLACES),
        code,
        integer({ min: 0, max: SCANNER_MS }),
        (from, keys, pause) => {
          const counter = new TypedCounter(from, GUATEMALA);
          const before = linesOf(counter);
          typeRow(counter, [...keys, "Enter"], pause);
          expect([counter.paid, counter.discounts]).toEqual([[], 0]);
          expect(linesOf(counter)).toBe(before);
          expect(counter.state.sale.confirming).toBe(false);
          expect(counter.state.sale.tender).toMatchObject({ text: "", others: [] });
          const { TOPUP, BILL_PAY } = counter.state.drafts;
          const isInBillField = counter.state.family === "BILL_PAY" && BILL_PAY.step === "field";
          expect(isInBillField || counter.state.family === "TOPUP" || keys.length < 8).toBe(true);
          expect(TOPUP.step).toBe("number");
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("picks no search result by accident", () => {
    const code = array(constantFrom(...SIGNS), { minLength: 1, maxLength: 24 });
    assert(
      property(code, integer({ min: 0, max: SAME_NUMBER_MS }), (keys, pause) => {
        const counter = new TypedCounter(FIELD, GUATEMALA);
        typeRow(counter, [...keys, "Enter"], pause);
        expect([counter.chosen, counter.paid, linesOf(counter)]).toEqual([[], [], 0]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** Codes scanned at a counter: its receipts, bills, eSIM cards and PINs. */
const CODES = [
  "000124",
  "012345",
  "001234",
  "4159520000000011802030001234567390200000125509620261215",
  "]C14159520000000011802030001234567390200000125509620261215",
  "952188123456000000457520270131",
  "89502100000000000017",
  "8950210000000000001F",
  "0012345678901234567",
  "12345678901234567890",
];

describe("scanned code that is not a phone number", () => {
  it("pays nothing and picks nothing in any step, with up to three Enters after the code", () => {
    assert(
      property(
        constantFrom(...EVERYWHERE),
        constantFrom(...CODES),
        integer({ min: 0, max: SCANNER_MS }),
        integer({ min: 1, max: 3 }),
        (from, code, pause, enters) => {
          const counter = new TypedCounter(from, GUATEMALA);
          const before = linesOf(counter);
          typeRow(counter, [...code, ...Array<string>(enters).fill("Enter")], pause);
          expect([counter.paid, counter.chosen, counter.discounts]).toEqual([[], [], 0]);
          expect(linesOf(counter)).toBe(before);
          expect(counter.state.sale.confirming).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["000124", "000124", ""],
    ["0012345678901234567", "0012345678901234567", ""],
    ["12345678901234567890", "12345678901234567890", ""],
    ["89502100000000000017", "89502100000000000017", ""],
    ["001234", "", "+1234"],
    ["012345", "", "012345"],
  ])("puts all digits into the field: %s", (code, query, digits) => {
    for (const from of [FIELD, "voucher brands", "confirm"] as const) {
      const counter = new TypedCounter(from, GUATEMALA);
      typeRow(counter, [...code, "Enter"], SCANNER_MS);
      expect(counter.state.drafts.TOPUP).toMatchObject({ query, digits });
    }
  });
});

describe("keys typed in a row at a typist's speed", () => {
  it("pick only items that were visible before the first key", () => {
    const row = array(constantFrom(...SIGNS), { minLength: 1, maxLength: 12 });
    const places = EVERYWHERE.filter((place) => !place.startsWith("confirm"));
    assert(
      property(
        constantFrom(...places),
        row,
        integer({ min: 0, max: SAME_NUMBER_MS }),
        (from, keys, pause) => {
          const counter = new TypedCounter(from, GUATEMALA);
          const before = linesOf(counter);
          typeRow(counter, [...keys, "Enter"], pause);
          // Visible before: a tile that the first key picks, and the last sale above the tiles.
          const wasInSight = /^[0-9]$/.test(keys[0] ?? "") || from === "topup offers";
          expect(linesOf(counter) - before).toBeLessThanOrEqual(wasInSight ? 1 : 0);
          if (!wasInSight) expect(counter.paid).toEqual([]);
          expect(counter.chosen).toEqual([]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("choose an option that the clerk had time to see", () => {
    const counter = new TypedCounter(FIELD, GUATEMALA);
    counter.press("n", 10_000);
    counter.press("3", 10_000 + SAME_NUMBER_MS);
    expect([counter.chosen, counter.state.drafts.TOPUP.query]).toEqual([[], "n3"]);
    const looked = new TypedCounter(FIELD, GUATEMALA);
    looked.press("n", 10_000);
    looked.press("3", 10_001 + SAME_NUMBER_MS);
    expect([looked.chosen, looked.state.drafts.TOPUP.query]).toEqual([["3"], "n"]);
  });
});

describe("keys typed in a row at the payment, slower than a scanner", () => {
  const pauses = integer({ min: SCANNER_MS + 1, max: SAME_NUMBER_MS });
  const payments = constantFrom(...PLACES.filter((place) => place.startsWith("confirm")));
  /** With the highest price, no amount of six digits is implausible. */
  const prices = constantFrom(500, 5200, 15_000, 2_000_000);

  function typedAtPayment(place: TypedPlace, price: number, keys: readonly string[], ms: number) {
    const counter = new TypedCounter(place, { ...GUATEMALA, price });
    typeRow(counter, keys, ms);
    return counter;
  }

  it("do not pay if they form a code, however often Enter follows", () => {
    const code = array(constantFrom(...SIGNS), { minLength: 6, maxLength: 24 });
    assert(
      property(
        payments,
        prices,
        code,
        pauses,
        integer({ min: 1, max: 3 }),
        (from, price, keys, ms, enters) => {
          const row = [...keys, ...Array<string>(enters).fill("Enter")];
          const counter = typedAtPayment(from, price, row, ms);
          expect([counter.paid, counter.chosen, counter.discounts]).toEqual([[], [], 0]);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("do not pay if they form the code of a receipt, a bill, a card or a PIN", () => {
    assert(
      property(
        payments,
        prices,
        constantFrom(...CODES, "123456", "999999"),
        pauses,
        integer({ min: 1, max: 3 }),
        (from, price, code, ms, enters) => {
          const row = [...code, ...Array<string>(enters).fill("Enter")];
          const counter = typedAtPayment(from, price, row, ms);
          expect([counter.paid, counter.chosen, counter.discounts]).toEqual([[], [], 0]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("record nothing and pay nothing if they form a word, however slowly Enter follows", () => {
    const word = array(constantFrom(..."abcdeghopqrwxyz".split("")), {
      minLength: 2,
      maxLength: 12,
    });
    assert(
      property(
        payments,
        prices,
        word,
        pauses,
        integer({ min: 1, max: 5000 }),
        (from, price, keys, ms, later) => {
          const counter = typedAtPayment(from, price, keys, ms);
          counter.press("Enter", 10_000 + keys.length * ms + later);
          expect([counter.paid, counter.discounts]).toEqual([[], 0]);
          expect(counter.state.sale.tender).toEqual({ text: "", others: [] });
          expect(counter.state.sale).toMatchObject({ confirming: true, entry: undefined });
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("pay if they form an amount of cash, a payment method, or both", () => {
    for (const ms of [1, SCANNER_MS, SCANNER_MS + 1, 120, SAME_NUMBER_MS]) {
      const paid = (keys: string) => typedAtPayment("confirm", 5200, [...keys, "Enter"], ms).paid;
      expect(paid("100")).toEqual(["100"]);
      expect(paid("60.5")).toEqual(["60.5"]);
      expect(paid("1000")).toEqual(["1000"]);
      expect(paid("c")).toEqual([""]);
      expect(paid("20c")).toEqual([""]);
    }
  });

  it("pay at once if they form an amount of any length that the screen shows", () => {
    const pesos = { country: "CO", currency: "COP", divisor: 1, price: 148_500 };
    for (const [keys, isPaid] of [
      ["148500", true],
      ["150000", true],
      ["152000", false],
      ["154321", false],
    ] as const) {
      const counter = new TypedCounter("confirm", pesos);
      typeRow(counter, [...keys.split(""), "Enter"], 120);
      expect([keys, counter.paid]).toEqual([keys, isPaid ? [keys] : []]);
      counter.press("Enter", 20_000);
      expect(counter.paid.at(-1)).toBe(keys);
    }
  });
});

describe("word detection at the payment", () => {
  function typed(keys: readonly (readonly [key: string, ms: number])[]) {
    const counter = new TypedCounter("confirm", GUATEMALA);
    let at = 10_000;
    for (const [key, ms] of keys) {
      at += ms;
      counter.press(key, at);
    }
    return counter;
  }
  const word = (text: string, ms: number) => [...text].map((key) => [key, ms] as const);

  it("undoes the choices that the word's letters made, and shows a message until another choice", () => {
    const counter = typed([
      ["4", 0],
      ["0", 200],
      ["c", 400],
      ["e", 200],
    ]);
    expect(counter.state.sale).toMatchObject({
      tender: { text: "", others: [] },
      asksLook: "word",
    });
    counter.press("c", 20_000);
    expect(counter.state.sale).toMatchObject({
      tender: { text: "", others: [{ kind: "CARD", amount: 5200 }] },
      asksLook: undefined,
    });
  });

  it("keeps cash that was typed some time before the word", () => {
    const counter = typed([...word("60", 200), ["x", 2000]]);
    expect(counter.state.sale).toMatchObject({ tender: { text: "60" }, asksLook: "word" });
  });

  it("recognises a slowly typed word, even if it contains a pause", () => {
    expect(typed([...word("cemaco", 700), ["Enter", 700]]).paid).toEqual([]);
    const paused = typed([...word("cema", 150), ["c", 900], ["o", 900], ["Enter", 900]]);
    expect([paused.paid, paused.state.sale.tender.others]).toEqual([[], []]);
    expect(
      typed([
        ["x", 0],
        ["Enter", 2000],
      ]).paid,
    ).toEqual([]);
  });

  it("lets a second Enter pay after the clerk had time to look at the screen", () => {
    const counter = typed([...word("cemaco", 120), ["Enter", 120], ["Enter", 100], ["Enter", 299]]);
    expect(counter.paid).toEqual([]);
    counter.press("Enter", 20_000);
    expect(counter.paid).toEqual([""]);
  });

  it("still allows the clerk to hold the basket or to give a discount", () => {
    const held = typed(word("c500", 0));
    expect(held.state.sale.asksLook).toBe("word");
    held.nameHeldSale("Maria");
    held.press("Enter", 20_000);
    expect([held.held, held.paid]).toEqual([["Maria"], []]);

    const cheaper = typed([...word("c500", 0), ["d", 2000], ["5", 400], ["Enter", 400]]);
    expect([cheaper.discounts, cheaper.paid]).toEqual([1, []]);
  });

  it("ignores single letters, and letters after D has opened a discount", () => {
    expect(
      typed([
        ["2", 0],
        ["0", 90],
        ["c", 90],
        ["o", 350],
        ["Enter", 90],
      ]).paid,
    ).toEqual([""]);
    const discount = typed([
      ["d", 0],
      ["1", 60],
      ["0", 60],
      ["%", 60],
      ["Enter", 60],
    ]);
    expect([discount.discounts, discount.state.sale.asksLook]).toEqual([1, undefined]);
  });

  it("recognises a word with Shift pressed before each letter", () => {
    const shifted = (ms: number) =>
      "CEMACO7".split("").flatMap((key) => [["Shift", ms] as const, [key, ms] as const]);
    for (const ms of [15, 60]) {
      const counter = typed([...shifted(ms), ["Enter", ms]]);
      expect([counter.paid, counter.state.sale.tender.others]).toEqual([[], []]);
    }
  });
});

it("a receipt number typed at the payment moves to the number field, at any speed", () => {
  for (const ms of [40, 250, 900]) {
    const counter = new TypedCounter("confirm", { ...GUATEMALA, price: 15_000 });
    typeRow(counter, ["0", "1", "2", "3", "4", "5", "Enter"], ms);
    expect(counter.paid).toEqual([]);
    expect(counter.state.drafts.TOPUP).toMatchObject({ digits: "012345" });
    expect(counter.state.sale).toMatchObject({ confirming: false });
    expect(linesOf(counter)).toBe(1);
  }
});

describe("key held down", () => {
  it("pays when pressed, and never when it repeats", () => {
    const counter = new TypedCounter("confirm", GUATEMALA);
    for (let at = 10_000; at < 12_000; at += 100) counter.press("Enter", at, true);
    expect(counter.paid).toEqual([]);
    counter.press("Enter", 13_000);
    expect(counter.paid).toHaveLength(1);
  });

  it("picks no tile when it repeats", () => {
    const counter = new TypedCounter("voucher brands", GUATEMALA);
    counter.press("1", 10_000, true);
    expect(counter.state.drafts.VOUCHER.step).toBe("brand");
    counter.press("1", 13_000);
    expect(counter.state.drafts.VOUCHER.step).not.toBe("brand");
  });
});
