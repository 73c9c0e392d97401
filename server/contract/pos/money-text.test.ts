import bidiJs from "bidi-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DayFormat } from "../../modules/office/shop-reports/day-pdf/day-format.ts";
import { PageFormat } from "../../modules/selling/receipt-pages/page-format.ts";
import { formatMoney, shopLocale } from "./money-text.ts";
import { LANGUAGES } from "./setup.ts";

const language = fc.constantFrom(...LANGUAGES);
const currency = fc.constantFrom(...Intl.supportedValuesOf("currency"));
const minor = fc.integer({ min: -999_999_999, max: 999_999_999 });
const style = fc.constantFrom("symbol", "code");
const always = () => true;
const plain = (text: string) => text.replaceAll(/\s/g, " ");

// The types declare a default export, but the loaded module is the function itself.
const bidi = (bidiJs as unknown as typeof bidiJs.default)();

/** Returns the characters of a line in an Arabic page from left to right, without invisible ones. */
function seenFromLeft(line: string): string {
  return bidi
    .getReorderedString(line, bidi.getEmbeddingLevels(line, "rtl"))
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
}

describe("amounts in texts", () => {
  it("have the same form on screens, receipt pages, mails and PDF, in every currency and language", () => {
    fc.assert(
      fc.property(language, currency, currency, minor, (language, ofShop, currency, minor) => {
        const locale = shopLocale(language, ofShop);
        const style = currency === ofShop ? "symbol" : "code";
        const onScreen = formatMoney(minor, currency, 100, { locale, style });
        const shop = { currency: ofShop, timeZone: "America/Guatemala" as const };
        const unit = { currency, currencyDivisor: 100 };
        expect(new PageFormat(language, shop).formatAmount(minor, unit)).toBe(onScreen);
        expect(new DayFormat(language, shop, always).money(minor, unit)).toBe(onScreen);
      }),
    );
  });

  it("have Latin digits in Arabic, with the currency on the left even inside a sentence", () => {
    fc.assert(
      fc.property(currency, currency, minor, style, (ofShop, currency, minor, style) => {
        const locale = shopLocale("ar", ofShop);
        const text = formatMoney(minor, currency, 100, { locale, style });
        const seen = seenFromLeft(text);
        const [, minus, number] = /^(\u2212?)[^\d\u2212]+(\d[\d.,]*[.,]\d\d)$/.exec(seen) ?? [];
        expect(minus, seen).toBe(minor < 0 ? "\u2212" : "");
        expect(number?.replaceAll(/\D/g, "")).toBe(String(Math.abs(minor)).padStart(3, "0"));
        const inSentence = seenFromLeft(`المبلغ ${text} للعميل 12، Tigo ${text}، ${text}.`);
        expect(inSentence.split(seen), inSentence).toHaveLength(4);
      }),
    );
  });

  it("name a currency in Arabic by its Arabic symbol, or as in English", () => {
    const seen = (currency: string, minor = 1234_50) =>
      plain(
        seenFromLeft(formatMoney(minor, currency, 100, { locale: shopLocale("ar", currency) })),
      );
    expect(seen("GTQ")).toBe("Q 1,234.50");
    expect(seen("GTQ", -1234_50)).toBe("\u2212Q 1,234.50");
    expect(seen("USD")).toBe("$1,234.50");
    expect(seen("USD", -1234_50)).toBe("\u2212$1,234.50");
    // The letters run from right to left, so the first letter is on the right.
    expect(seen("EGP")).toBe(".م.ج 1,234.50");
    expect(seen("EGP", -1234_50)).toBe("\u2212.م.ج 1,234.50");
    expect(seen("MAD")).toBe(".م.د 1.234,50");
    expect(seen("CHF")).toBe("CHF 1,234.50");
  });

  it("follow the usage of the shop's country", () => {
    const inShop = (language: string, currency: string) =>
      plain(formatMoney(1234_50, currency, 100, { locale: shopLocale(language, currency) }));
    expect(inShop("pt", "BRL")).toBe("R$ 1.234,50");
    expect(inShop("es", "GTQ")).toBe("Q 1,234.50");
    expect(inShop("fr", "EUR")).toBe("1 234,50 €");
    expect(inShop("en", "USD")).toBe("$1,234.50");
  });
});
