import fc from "fast-check";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { StoredPriceRule } from "../../../server/contract/pos/prices.ts";
import { bandOf, ENDINGS } from "../../lib/price-endings.ts";
import {
  emptyForm,
  formOf,
  HOW_CHOICES,
  isPercentChoice,
  type RuleForm,
  readForm,
} from "./rule-form.ts";

const UNIT = { currencyDivisor: 100, timeZone: "America/Guatemala" };

const cents = fc.integer({ min: 0, max: 1_000_000 });
const day = fc
  .integer({ min: 0, max: 700 })
  .map((days) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));
/** Empty for midnight, which the form shows without a time. */
const time = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 1439 }).map((minutes) => {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    return `${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
  }),
);
const moment = fc.record({ day, time });
const none = fc.constant({ day: "", time: "" });
const amount = cents.map((minor) => (minor / 100).toFixed(2));
const maybe = fc.oneof(fc.constant(""), amount);
const bands = fc
  .tuple(fc.integer({ min: 2, max: 5_000 }), fc.integer({ min: 2, max: 5_000 }))
  .map(([low, high]) => [
    { below: (low / 100).toFixed(2), step: "0.25", offset: "0.20" },
    { below: "", step: ((high + 1) / 100).toFixed(2), offset: (high / 100).toFixed(2) },
  ]);
const rounding = fc.oneof(
  fc.constant({ ends: "list" as const, direction: "UP" as const, bands: [] }),
  fc.record({
    ends: fc.constantFrom(...ENDINGS),
    direction: fc.constantFrom("UP" as const, "DOWN" as const, "NEAREST" as const),
    bands: fc.constant([]),
  }),
  fc.record({ ends: fc.constant("own" as const), direction: fc.constant("UP" as const), bands }),
);

const form: fc.Arbitrary<RuleForm> = fc
  .record({
    target: fc.constantFrom({}, { family: "VOUCHER" as const }, { brand: "TIGO", country: "GT" }),
    class: fc.constantFrom("STANDARD" as const, "PROMOTION" as const),
    channel: fc.constantFrom("ANY" as const, "TILL" as const, "API" as const),
    how: fc.constantFrom(...HOW_CHOICES),
    percent: fc.integer({ min: 0, max: 9_999 }).map((of) => String(of / 100)),
    cents: amount,
    rounding,
    profits: fc.tuple(maybe, maybe),
    allowsLoss: fc.boolean(),
    loss: fc.record({ until: moment, maxLossPerSale: amount }),
    from: fc.oneof(none, moment),
    note: fc.constantFrom("", "For the weekend"),
  })
  .map(({ percent, cents: typed, profits, loss, from, ...of }) => {
    const [minProfit, maxProfit] =
      of.how === "SET" ? ["", ""] : profits.toSorted((a, b) => Number(a || 0) - Number(b || 1e9));
    const empty = emptyForm("one");
    return {
      ...empty,
      ...of,
      much: isPercentChoice(of.how) ? percent : typed,
      minProfit: minProfit ?? "",
      maxProfit: maxProfit ?? "",
      loss: of.allowsLoss
        ? { ...loss, reason: "Opening", budget: loss.maxLossPerSale }
        : empty.loss,
      from,
      until: from.day === "" ? from : { day: "2028-06-30", time: "" },
    };
  });

describe("price rule in the form", () => {
  it("does not change when the form is opened and saved, and fits the contract", () => {
    let read = 0;
    fc.assert(
      fc.property(form, (typed) => {
        const first = readForm(typed, UNIT);
        if ("faults" in first) return;
        read += 1;
        expect([...Value.Errors(StoredPriceRule, { ...first.rule, since: 1 })]).toEqual([]);
        const opened = formOf(first.rule, UNIT);
        expect(opened).toEqual(typed);
        expect(readForm(opened, UNIT)).toEqual(first);
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(300);
  });

  it("starts with its first day and ends after its last day, in the shop's time zone", () => {
    const typed = { ...emptyForm("one"), much: "8" };
    const december = { day: "2026-12-01", time: "" };
    const read = readForm(
      { ...typed, from: december, until: { ...december, day: "2026-12-24" } },
      UNIT,
    );
    expect(read).toMatchObject({
      rule: { from: "2026-12-01T06:00:00.000Z", until: "2026-12-25T06:00:00.000Z" },
    });
    const noon = readForm({ ...typed, until: { day: "2026-12-24", time: "12:00" } }, UNIT);
    expect(noon).toMatchObject({ rule: { until: "2026-12-24T18:00:00.000Z" } });
  });

  it("accepts percentages in common notations (8 %, ,5), and prices that end in .50", () => {
    const typed: RuleForm = {
      ...emptyForm("one"),
      much: "2,5 %",
      rounding: { ends: "half", direction: "UP", bands: [] },
    };
    expect(readForm(typed, UNIT)).toMatchObject({
      rule: { percent: "2.5", rounding: { bands: [{ step: 100, offset: 50 }] } },
    });
    expect(bandOf("half", 1)).toEqual({ step: 100, offset: 50 });
    expect(bandOf("ninetyNine", 1000)).toEqual({ step: 1000, offset: 990 });
  });

  it.each<[string, Partial<RuleForm>, object]>([
    ["nothing typed", {}, { much: "needed" }],
    ["a word", { much: "eight" }, { much: "percent" }],
    ["all of the price", { how: "MARGIN", much: "100" }, { much: "margin" }],
    ["half a coin", { how: "SET", much: "1.005" }, { much: "amount" }],
    ["less than nothing", { how: "SET", much: "-1" }, { much: "amount" }],
    [
      "less at most than at least",
      { much: "8", minProfit: "5", maxProfit: "4" },
      { maxProfit: "order" },
    ],
    [
      "an end before its start",
      {
        much: "8",
        from: { day: "2026-12-02", time: "" },
        until: { day: "2026-12-01", time: "" },
      },
      { until: "order" },
    ],
    [
      "a loss without a reason",
      { much: "-3", allowsLoss: true },
      { lossReason: "needed", lossUntil: "needed", lossMost: "needed", lossBudget: "needed" },
    ],
    [
      "rounding without any band",
      { much: "8", rounding: { ends: "own", direction: "UP", bands: [] } },
      { rounding: "own" },
    ],
  ])("reports the field with an error: %s", (_what, of, faults) => {
    expect(readForm({ ...emptyForm("one"), ...of }, UNIT)).toEqual({ faults });
  });
});
