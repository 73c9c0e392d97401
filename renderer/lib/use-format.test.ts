import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shopLocale } from "../../server/contract/pos/money-text.ts";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";
import { pickLocale } from "./use-format.ts";

describe("the locale of a shop", () => {
  it("equals the system's locale of the till's language", () => {
    expect(pickLocale("es", "GTQ", ["en-GB", "es-MX"])).toBe("es-MX");
  });

  it("combines the language and the currency's country if the system has another language", () => {
    expect(pickLocale("es", "GTQ", ["en-GB"])).toBe("es-GT");
    expect(pickLocale("fr", "", [])).toBe("fr");
  });

  it("works in every formatter, even if the browser reports an invalid language", () => {
    const locale = pickLocale("en", "USD", ["en-US@posix"]);
    expect(locale).toBe("en-US");
    expect(() => new Intl.NumberFormat(locale)).not.toThrow();
  });

  it("equals the locale of mails, receipt pages and PDF if the system names no region", () => {
    const currencies = fc.constantFrom(...Intl.supportedValuesOf("currency"));
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), currencies, (language, currency) => {
        expect(pickLocale(language, currency, [language])).toBe(shopLocale(language, currency));
      }),
    );
  });
});
