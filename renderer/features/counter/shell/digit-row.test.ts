import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { fewestDigits, typedNumber } from "../../../lib/phone-format.ts";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import { PLACES, TypedCounter } from "../testing/typed-counter.ts";
import { isPastedNumber } from "./digit-row.ts";

const GUATEMALA = { country: "GT", currency: "GTQ", divisor: 100, price: 5200 };
const SHOPS = [
  GUATEMALA,
  { country: "ID", currency: "IDR", divisor: 100, price: 5_200_000 },
  { country: "JP", currency: "JPY", divisor: 1, price: 1_050 },
  { country: "IS", currency: "ISK", divisor: 1, price: 2_000_000 },
  { country: "", currency: "USD", divisor: 100, price: 100 },
];
const QUICK = SAME_NUMBER_MS;
const SLOW = SAME_NUMBER_MS + 1;

function typeInto(counter: TypedCounter, keys: string, pauses: number[] = []): CounterState {
  let at = 10_000;
  for (const [index, key] of [...keys].entries()) {
    at += pauses[index % pauses.length] ?? SLOW;
    counter.press(key, at);
  }
  return counter.state;
}

type CounterState = TypedCounter["state"];

const digit = constantFrom(..."0123456789".split(""));
/** `pause` is the time in milliseconds before the digit. */
const number = array(record({ digit, pause: constantFrom(0, 40, 300, 301, 900, 60_000) }), {
  minLength: 8,
  maxLength: 15,
});

describe("phone number typed where digits pick", () => {
  it("never pays, however slowly the number is typed", () => {
    const place = constantFrom(...PLACES);
    const prefix = constantFrom("", "", "+", "00");
    assert(
      property(place, constantFrom(...SHOPS), prefix, number, (from, shop, before, typed) => {
        const counter = new TypedCounter(from, shop);
        const linesBefore = counter.state.sale.attempt?.lines.length ?? 0;
        const keys = before + typed.map((one) => one.digit).join("");
        const { sale } = typeInto(counter, keys, [
          ...before.split("").map(() => 50),
          ...typed.map(({ pause }) => pause),
        ]);
        expect(sale.confirming).toBe(false);
        expect(sale.attempt?.lines.length ?? 0).toBe(linesBefore);
        // A bill's account has its own field, which digits do not leave.
        const isField =
          counter.state.family === "BILL_PAY" && counter.state.drafts.BILL_PAY.step === "field";
        expect(isField || counter.state.drafts.TOPUP.step === "number").toBe(true);
        counter.press("Enter", 1e9);
        expect(counter.paid).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("moves to the first step's number field after two quick digits, and picks nothing", () => {
    assert(
      property(
        constantFrom(...PLACES.filter((place) => !place.startsWith("confirm"))),
        array(digit, { minLength: 2, maxLength: 15 }),
        integer({ min: 0, max: QUICK }),
        (place, digits, pause) => {
          const keys = digits.join("");
          const counter = new TypedCounter(place, GUATEMALA);
          const state = typeInto(counter, keys, [pause]);
          expect(state.family).toBe("TOPUP");
          // Three zeros start a receipt's barcode, because no calling code starts with 0.
          const typed = keys.startsWith("000") ? { query: keys } : { digits: typedNumber(keys) };
          expect(state.drafts.TOPUP).toMatchObject({ step: "number", ...typed });
          expect(state.sale.attempt).toBeUndefined();
        },
      ),
    );
  });
});

describe("row of single digits", () => {
  it("picks in each step that was visible, and then types cash", () => {
    const counter = new TypedCounter("voucher brands", GUATEMALA);
    expect(typeInto(counter, "51100").sale.tender.text).toBe("100");
    counter.press("Enter", 1e6);
    expect(counter.paid).toEqual(["100"]);
  });

  it("types cash at any speed if a key other than a digit opened the confirm step", () => {
    const counter = new TypedCounter("confirm", GUATEMALA);
    expect(typeInto(counter, "1000", [20]).sale.tender.text).toBe("1000");
  });

  it.each([
    ["two quick digits", "51", [SLOW, QUICK], "51"],
    ["a second digit just in time", "511", [SLOW, SLOW, QUICK], "511"],
    ["the zeros of an international number", "00", [SLOW], "+"],
    ["the zeros of an international number typed as cash", "5100", [SLOW], "5100"],
    ["three zeros of a receipt's barcode", "000124", [QUICK], ""],
    ["a plus", "+502", [SLOW], "+502"],
    ["zeros between two digits that pick", "08000009", [SLOW], "08000009"],
  ])("becomes a phone number with %s", (_what, keys, pauses, typed) => {
    const from = keys === "00" ? "topup offers" : "voucher brands";
    const state = typeInto(new TypedCounter(from, GUATEMALA), keys, pauses);
    expect(state.drafts.TOPUP).toMatchObject({ step: "number", digits: typed });
    expect(state.sale.attempt).toBeUndefined();
  });

  it("leaves the earlier line unpaid in the basket", () => {
    const state = typeInto(new TypedCounter("confirm", GUATEMALA), "51000060", [SLOW]);
    expect(state.drafts.TOPUP).toMatchObject({ step: "number", digits: "51000060" });
    expect(state.sale).toMatchObject({ confirming: false, attempt: { lines: [{}] } });
    const plus = typeInto(new TypedCounter("confirm", GUATEMALA), "+5", [QUICK]);
    expect(plus.drafts.TOPUP.digits).toBe("+5");
    expect(plus.sale.attempt?.lines).toHaveLength(1);
  });

  it("returns to the original step after a bounced key, with one undo", () => {
    const counter = new TypedCounter("topup offers", GUATEMALA);
    const before = counter.state;
    typeInto(counter, "55", [QUICK]);
    expect(counter.state.drafts.TOPUP.digits).toBe("55");
    counter.press("Escape", 1e6);
    expect(counter.state.drafts.TOPUP).toEqual(before.drafts.TOPUP);
  });

  it("types an account into an open account field, and continues a number after a modifier key", () => {
    const counter = new TypedCounter("billers", GUATEMALA);
    expect(typeInto(counter, "31123456789").drafts.BILL_PAY.fields.texts.account).toBe("123456789");
    const shifted = new TypedCounter("voucher brands", GUATEMALA);
    shifted.press("5", 100);
    shifted.press("Shift", 200);
    shifted.press("1", 300);
    expect(shifted.state.drafts.TOPUP.digits).toBe("51");
  });
});

describe("pasted text", () => {
  it.each([
    ["51000060", true],
    ["+502 5100-0060", true],
    [" 00502 5100 0060 ", true],
    ["200", false],
    ["1,500.50", false],
    ["netflix", false],
    ["٥١٠٠٠٠٦٠", true],
  ])("%j is a number: %s", (text, isNumber) => {
    expect(isPastedNumber(text, fewestDigits("GT"))).toBe(isNumber);
  });
});
