import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DayFormat } from "../../modules/office/shop-reports/day-pdf/day-format.ts";
import { PageFormat } from "../../modules/selling/receipt-pages/page-format.ts";
import { formatMoney, shopLocale } from "./money-text.ts";
import { LANGUAGES } from "./setup.ts";

const language = fc.constantFrom(...LANGUAGES);
const currency = fc.constantFrom(...Intl.supportedValuesOf("currency"));
const minor = fc.integer({ min: -999_999_999, max: 999_999_999 });
const always = () => true;
const plain = (text: string) => text.replaceAll(/\s/g, " ");

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

  it("run from left to right with Latin digits in Arabic", () => {
    fc.assert(
      fc.property(currency, minor, (currency, minor) => {
        const text = formatMoney(minor, currency, 100, { locale: shopLocale("ar", currency) });
        expect(text).toMatch(/^\u2066.*\d[.,]\d\d.*\u2069$/su);
        expect(text).not.toMatch(/[\u0660-\u0669]/u);
      }),
    );
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
