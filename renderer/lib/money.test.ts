import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  areWhole,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRange,
  fractionDigits,
  parseAmount,
  toDecimal,
} from "./money.ts";

const plain = (text: string) => text.replaceAll(/\s/g, " ");

const withoutMarks = (text: string) => text.replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, "");

describe("money", () => {
  it("takes the number of decimals from the divisor, not from Intl", () => {
    expect(plain(formatMoney(5200, "GTQ", 100, { locale: "es-GT" }))).toBe("Q 52.00");
    expect(plain(formatMoney(1500, "IQD", 1000, { locale: "en", style: "code" }))).toBe(
      "IQD 1.500",
    );
    expect(plain(formatMoney(900, "CLP", 1, { locale: "en", style: "code" }))).toBe("CLP 900");
    expect(plain(formatMoney(900, "COP", 100, { locale: "en", style: "code" }))).toBe("COP 9.00");
  });

  it("formats amounts in the locale", () => {
    expect(plain(formatMoney(123456, "EUR", 100, { locale: "fr" }))).toBe("1 234,56 €");
    expect(plain(formatMoney(84210, "USD", 100, { locale: "en", style: "code" }))).toBe(
      "USD 842.10",
    );
  });

  it("uses Arabic symbols in Arabic, and the wide symbol in Portuguese unless it is only the currency's code", () => {
    const amount = (locale: string, currency: string) =>
      plain(withoutMarks(formatMoney(1000_00, currency, 100, { locale })));
    expect(amount("ar-EG-u-nu-latn", "EGP")).toBe("ج.م. 1,000.00");
    expect(amount("pt-BR", "USD")).toBe("US$ 1.000,00");
    expect(amount("pt-BR", "BRL")).toBe("R$ 1.000,00");
    expect(amount("ar-EG-u-nu-latn", "GTQ")).toBe("Q 1,000.00");
    expect(amount("ar-EG-u-nu-latn", "USD")).toBe("$1,000.00");
    expect(amount("en-GT", "USD")).toBe("$1,000.00");
    expect(amount("es-GT", "USD")).toBe("$1,000.00");
  });

  it("writes a minus sign before negative amounts in every language", () => {
    const locales = ["en", "es-GT", "fr", "pt-BR", "ar-EG-u-nu-latn"];
    for (const locale of locales) {
      for (const text of [
        formatMoney(-200, "GTQ", 100, { locale }),
        formatRange([-500, 200], "GTQ", 100, { locale }),
        formatPercent(-1.5, locale),
        formatNumber(-7, locale),
      ]) {
        expect(text).toContain("\u2212");
        expect(text).not.toContain("-");
      }
    }
    expect(formatMoney(200, "GTQ", 100, { locale: "en" })).not.toContain("\u2212");
  });

  it("shortens round amounts only", () => {
    expect(plain(formatMoney(2500, "GTQ", 100, { locale: "es-GT", short: true }))).toBe("Q 25");
    expect(plain(formatMoney(2550, "GTQ", 100, { locale: "es-GT", short: true }))).toBe("Q 25.50");
  });

  it("writes a group of amounts with the same number of decimals", () => {
    const range = (min: number, max: number, currency: string, divisor: number) =>
      plain(formatRange([min, max], currency, divisor, { locale: "en", style: "code" }));
    expect(range(123_30, 2466_00, "MXN", 100)).toBe("MXN 123.30 – 2,466.00");
    expect(range(5_00, 500_00, "GTQ", 100)).toBe("GTQ 5 – 500");
    const french = formatRange([14_87, 297_40], "GTQ", 100, { locale: "fr-FR", style: "code" });
    expect(plain(french)).toBe("14,87 – 297,40 GTQ");
    expect(areWhole([1000, 7500], 1000)).toBe(false);
    expect(areWhole([1000, 7000], 1000)).toBe(true);
  });

  it("stays exact beyond the precision of floats", () => {
    expect(toDecimal(Number.MAX_SAFE_INTEGER, 1000)).toBe("9007199254740.991");
    expect(
      plain(formatMoney(Number.MAX_SAFE_INTEGER, "KWD", 1000, { locale: "en", style: "code" })),
    ).toBe("KWD 9,007,199,254,740.991");
  });

  it("parses a point or a comma, and refuses excess decimals", () => {
    expect(parseAmount("52", 100)).toBe(5200);
    expect(parseAmount("52.", 100)).toBe(5200);
    expect(parseAmount("52,5", 100)).toBe(5250);
    expect(parseAmount("52.505", 100)).toBeUndefined();
    expect(parseAmount("1.5", 1)).toBeUndefined();
    expect(parseAmount("", 100)).toBeUndefined();
    expect(parseAmount("5-2", 100)).toBeUndefined();
  });

  it("reads back every amount it writes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999 }),
        fc.constantFrom(1, 10, 100, 1000),
        (minor, divisor) => {
          expect(parseAmount(toDecimal(minor, divisor), divisor)).toBe(minor);
          expect(fractionDigits(divisor)).toBe(String(divisor).length - 1);
        },
      ),
    );
  });

  it("formats a percentage in the language, without a line break inside", () => {
    expect(formatPercent(15, "en")).toBe("15%");
    expect(formatPercent(12.5, "pt-BR")).toBe("12,5%");
    expect(formatPercent(15, "fr-FR")).toMatch(/^15[\u00a0\u202f]%$/);
    expect(formatPercent(15, "ar-EG-u-nu-latn")).toMatch(/^15/);
  });
});
