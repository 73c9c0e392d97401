import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../server/contract/pos/setup.ts";
import type { CheckedForLive } from "../../../server/contract/pos/till-environment.ts";
import { startI18n } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";
import english from "../../locales/en.json" with { type: "json" };
import { checkWords, reasonOf, remedyOf } from "./check-words.ts";

/** As it is filled in, so that a figure that is left out shows. */
const format = {
  locale: "en",
  money: (minor: number, currency: string, divisor: number) => `${currency}${minor / divisor}`,
  number: (value: number | string) => `#${value}`,
  date: (value: string) => `day ${value.slice(0, 10)}`,
  moment: (value: string) => `at ${value}`,
  country: (code: string) => `land ${code}`,
} as unknown as Format;

const CHECKS = Object.keys(english.goLive.check) as CheckedForLive["check"][];
const FIGURES: CheckedForLive["figures"] = {
  names: "Ana",
  name: "Rosa",
  url: "https://gateway.example",
  offers: 3,
  example: "TIGO_GT",
  rate: "7.75",
  reference: "7.66",
  date: "2026-01-15",
  available: 50_000,
  there: 100_000,
  here: 50_000,
  currency: "USD",
  currencyDivisor: 100,
  at: "2026-01-15T09:30:00.000Z",
  free: "1.9",
  timeZone: "UTC",
  missing: "FAILED,SHIFT_CLOSED",
  leftOut: 2,
  country: "GT",
  people: 1,
  failing: 1,
  reason: "connect ECONNREFUSED",
};

function checked(check: CheckedForLive["check"], passed: boolean): CheckedForLive {
  return { check, passed, stops: true, message: "", figures: FIGURES };
}

describe.each(LANGUAGES)("what is missing before a shop goes live, in %s", (language) => {
  it.each(CHECKS)("%s reads whole, passed or not", (check) => {
    const t = startI18n(language).t;
    for (const passed of [true, false]) {
      const words = checkWords(checked(check, passed), t, format);
      expect(words).not.toMatch(/undefined|NaN|\{\{|goLive/);
      expect(words.length).toBeGreaterThan(5);
    }
  });
});

it("amounts, days and practices are written for the reader", () => {
  const t = startI18n("en").t;
  const words = (check: CheckedForLive["check"], passed = false) =>
    checkWords(checked(check, passed), t, format);
  expect(words("WALLET_FUNDED", true)).toBe("The live wallet holds USD500");
  expect(words("RATE_RECENT")).toContain("#7.75 is of day 2026-01-15");
  expect(words("PRACTISED")).toContain("a sale that fails, a closed shift");
  expect(words("CATALOG_FOR_COUNTRY")).toContain("land GT");
});

it("whatever stops a shop and can be mended here says where, and nothing that is in order does", () => {
  expect(remedyOf(checked("SHIFTS_CLOSED", false))).toEqual({ kind: "screen", to: "/shift" });
  expect(remedyOf(checked("RATE_RECENT", false))).toEqual({ kind: "rate" });
  expect(remedyOf(checked("BACKUP_MADE", false))).toMatchObject({ command: "tillgate backup now" });
  expect(CHECKS.map((check) => remedyOf(checked(check, true)))).toEqual(
    CHECKS.map(() => undefined),
  );
  expect(reasonOf(checked("GATEWAY_ANSWERS", false))).toBe("connect ECONNREFUSED");
  expect(reasonOf(checked("GATEWAY_ANSWERS", true))).toBe("");
});
