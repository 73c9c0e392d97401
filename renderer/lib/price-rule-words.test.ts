import i18next from "i18next";
import { describe, expect, it } from "vitest";
import type { PriceRule } from "../../server/contract/pos/prices.ts";
import { calendarOf, startOfDay } from "../../server/contract/pos/shop-day.ts";
import { withoutIsolates } from "./direction.ts";
import { formatMoney, formatPercent } from "./money.ts";
import { type RuleSaying, ruleWords } from "./price-rule-words.ts";
import { formatDate, formatTime } from "./time-format.ts";
import type { Format } from "./use-format.ts";

const timeZone = "America/Guatemala";

function saying(locale: string): RuleSaying {
  const style = { locale, timeZone };
  const countries = new Intl.DisplayNames(locale, { type: "region" });
  const format = {
    locale,
    percent: (value: number) => formatPercent(value, locale),
    moneyShort: (minor: number, currency: string, divisor: number) =>
      formatMoney(minor, currency, divisor, { locale, short: true }),
    typedAmount: (text: string) => (locale.startsWith("fr") ? text.replace(".", ",") : text),
    date: (at: number) => formatDate(at, style),
    time: (at: number) => formatTime(at, style),
    isMidnight: (at: number) => startOfDay(at, calendarOf(timeZone)) === at,
    country: (code: string) => countries.of(code) ?? code,
  } as unknown as Format;
  return {
    t: i18next.getFixedT(locale.slice(0, 2)),
    format,
    currency: "GTQ",
    currencyDivisor: 100,
    brandName: (brand) => (brand === "AMAZON" ? "Amazon" : brand),
    offerName: (offerId) => offerId,
  };
}

const RULE: PriceRule = {
  ruleId: "one",
  enabled: true,
  target: { family: "VOUCHER" },
  class: "STANDARD",
  channel: "ANY",
  basis: "COST",
  how: "MARKUP",
  percent: "8",
};
const HALF = { direction: "UP" as const, bands: [{ step: 100, offset: 50 }] };
const { percent: _percent, ...PLAIN } = RULE;

function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll(/[\u200e\u061c]/g, "");
}

describe("the sentence of a rule", () => {
  it.each<[string, PriceRule]>([
    [
      "Gift cards: cost plus 8%, prices end in .50, from Dec 1, 2026",
      { ...RULE, rounding: HALF, from: "2026-12-01T06:00:00.000Z" },
    ],
    [
      "Gift cards, Amazon, Mexico: 12% margin",
      {
        ...RULE,
        how: "MARGIN",
        percent: "12",
        target: { family: "VOUCHER", brand: "AMAZON", country: "MX" },
      },
    ],
    [
      "Everything: suggested price, whole prices, rounded to the nearest",
      {
        ...RULE,
        target: {},
        basis: "SUGGESTED",
        percent: "0",
        rounding: { direction: "NEAREST", bands: [{ step: 100, offset: 0 }] },
      },
    ],
    [
      "Gift cards: suggested price minus 5%, until Dec 24, 2026",
      { ...RULE, basis: "SUGGESTED", percent: "-5", until: "2026-12-25T06:00:00.000Z" },
    ],
    [
      "Gift cards: cost plus Q 2.50, at least Q 1 profit, counter only",
      { ...PLAIN, how: "ADD", amount: 250, minProfit: 100, channel: "TILL" },
    ],
    [
      "TIGO_50: at Q 55, until Dec 24, 2026, 12:00 PM",
      {
        ...PLAIN,
        how: "SET",
        amount: 5500,
        target: { offerId: "TIGO_50" },
        until: "2026-12-24T18:00:00.000Z",
      },
    ],
    [
      "Gift cards: cost minus 3%, up to Q 3 loss per sale until Dec 24, 2026",
      {
        ...RULE,
        percent: "-3",
        belowCost: {
          reason: "Opening",
          until: "2026-12-25T06:00:00.000Z",
          maxLossPerSale: 300,
          budget: 500,
        },
      },
    ],
  ])("%s", (words, rule) => {
    expect(plain(ruleWords(rule, saying("en-GT")))).toBe(words);
  });

  it("exists in every language", () => {
    const rule = { ...RULE, rounding: HALF };
    const said = ["es-GT", "fr-GT", "pt-GT", "ar-u-nu-latn"].map((locale) =>
      plain(withoutIsolates(ruleWords(rule, saying(locale)))),
    );
    expect(said).toEqual([
      "Tarjetas de regalo: costo más 8%, precios terminados en .50",
      "Cartes cadeaux : coût plus 8 %, prix finissant par ,50",
      "Cartões-presente: custo mais 8%, preços terminados em .50",
      "بطاقات الهدايا: التكلفة زائد 8%، أسعار تنتهي بـ .50",
    ]);
  });
});
