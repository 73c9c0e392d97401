import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../../server/contract/pos/setup.ts";
import {
  type CheckedForLive,
  GOING_LIVE_CHECKS,
} from "../../../server/contract/pos/till-environment.ts";
import { addOfficeWords, type Translate } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";
import words from "../../locales/office/live.json" with { type: "json" };
import { officeWordsIn } from "../../locales/office-words.ts";
import { checkWords, reasonOf } from "./check-words.ts";
import { remediesOf } from "./remedies.ts";

/** Leaves variables recognisable, so that a missing figure is visible. */
const format = {
  locale: "en",
  money: (minor: number, currency: string, divisor: number) => `${currency}${minor / divisor}`,
  number: (value: number | string) => `#${value}`,
  date: (value: string) => `day ${value.slice(0, 10)}`,
  moment: (value: string) => `at ${value}`,
  country: (code: string) => `land ${code}`,
} as unknown as Format;

const CHECKS = Object.keys(words.en.check) as CheckedForLive["check"][];
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
  seconds: 75,
  sales: 12,
  days: "0.4",
  average: 120_000,
  cost: 300,
  ours: "USD",
  theirs: "EUR",
  brand: "Tigo",
  recipient: "+502 5123 4567",
  reason: "connect ECONNREFUSED",
};

beforeAll(() => addOfficeWords(officeWordsIn));

function wordsOf(language: Language): Translate {
  return i18next.getFixedT(language);
}

function checked(check: CheckedForLive["check"], passed: boolean): CheckedForLive {
  return { check, passed, stops: true, message: "", figures: FIGURES };
}

describe.each(LANGUAGES)("texts of checks before going live, in %s", (language) => {
  it.each(CHECKS)("%s has a complete text, and its step has a title", (check) => {
    const t = wordsOf(language);
    for (const words of [checkWords(checked(check, false), t, format), t(`goLive.step.${check}`)]) {
      expect(words).not.toMatch(/undefined|NaN|\{\{|goLive|office\\./);
      expect(words.length).toBeGreaterThan(5);
    }
  });
});

it.each(LANGUAGES)("a running backup test is reported without a button, in %s", (language) => {
  const figures = { ...FIGURES, state: "UNDER_WAY" };
  const underWay = { ...checked("BACKUP_RESTORED", false), figures };
  const words = checkWords(underWay, wordsOf(language), format);
  expect(words).not.toBe(checkWords(checked("BACKUP_RESTORED", false), wordsOf(language), format));
  expect(words).not.toMatch(/office\./);
  expect(remediesOf(underWay)).toEqual([]);
});

it("check texts show formatted amounts and dates, and the names of missing practice tasks", () => {
  const t = wordsOf("en");
  const words = (check: CheckedForLive["check"]) => checkWords(checked(check, false), t, format);
  expect(words("RATE_RECENT")).toContain("#7.75 is from day 2026-01-15");
  expect(words("PRACTISED")).toContain("a sale that is not delivered, a closed shift");
  expect(words("CATALOG_FOR_COUNTRY")).toContain("land GT");
});

it("only failed checks have reasons and remedies", () => {
  for (const check of GOING_LIVE_CHECKS) {
    expect(remediesOf(checked(check, false)), check).not.toEqual([]);
    expect(remediesOf(checked(check, true)), check).toEqual([]);
  }
  expect(remediesOf(checked("RATE_RECENT", false))).toEqual([
    { kind: "office", section: "prices", view: "rate" },
  ]);
  expect(reasonOf(checked("GATEWAY_ANSWERS", false))).toBe("connect ECONNREFUSED");
  expect(reasonOf(checked("GATEWAY_ANSWERS", true))).toBe("");
});
