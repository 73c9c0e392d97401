import { describe, expect, it } from "vitest";
import { isolateVariables, latinDigits, withoutIsolates } from "./direction.ts";
import { startI18n } from "./i18n.ts";
import { formatMoney, formatRange, parseAmount } from "./money.ts";
import { phoneDigits } from "./phone-format.ts";
import { formatDay, formatTime } from "./time-format.ts";
import { pickLocale } from "./use-format.ts";

const LRI = "\u2066";
const FSI = "\u2068";
const PDI = "\u2069";

describe("Arabic at the till", () => {
  it("writes Latin digits and Gregorian dates in every country", () => {
    const shops = ["SAR", "EGP", "MAD", "GTQ", "XOF", ""];
    const locales = [
      ...shops.map((currency) => pickLocale("ar", currency, [])),
      pickLocale("ar", "USD", ["ar-EG", "en-US"]),
      pickLocale("ar", "USD", ["ar-SA-u-ca-islamic-umalqura"]),
    ];
    for (const locale of locales) {
      const written = [
        formatMoney(123_456, "SAR", 100, { locale }),
        formatDay("2026-01-15T09:30:00Z", { locale, timeZone: "UTC" }),
        formatTime("2026-01-15T09:30:00Z", { locale, timeZone: "UTC" }),
      ].join(" ");
      expect(written, locale).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/);
      expect(written, locale).toMatch(/1[,.]234[,.]56.*15/);
    }
  });

  it("isolates amounts, which read from left to right", () => {
    const amount = formatMoney(5200, "GTQ", 100, { locale: "ar-GT-u-nu-latn", style: "code" });
    expect(amount).toMatch(new RegExp(`^${LRI}GTQ\\s52[.,]00${PDI}$`));
    const range = formatRange([500, 50_000], "GTQ", 100, { locale: "ar-u-nu-latn", style: "code" });
    expect(withoutIsolates(range)).toMatch(/^GTQ\s5 – 500$/);
    expect(range.startsWith(LRI) && range.endsWith(PDI)).toBe(true);
    expect(formatMoney(5200, "GTQ", 100, { locale: "es-GT" })).not.toMatch(/[\u2066-\u2069]/);
  });

  it("isolates variables in Arabic texts, and no variables in left-to-right texts", () => {
    const words = { greeting: "مرحبًا، {{name}}", deep: { until: "{{day}} {{time}}" } };
    expect(isolateVariables(words, "ar")).toEqual({
      greeting: `مرحبًا، ${FSI}{{name}}${PDI}`,
      deep: { until: `${FSI}{{day}}${PDI} ${FSI}{{time}}${PDI}` },
    });
    expect(isolateVariables(words, "fr")).toBe(words);
  });

  it("keeps a count behind a name that ends in Latin letters", () => {
    const counted = startI18n("ar").t("common.counted", { label: "شرائح eSIM", number: "1" });
    expect(counted).toBe(`${FSI}شرائح eSIM${PDI} (${FSI}1${PDI})`);
  });

  it("mirrors the page, and a left-to-right language restores it", async () => {
    const i18n = startI18n("ar");
    expect(document.documentElement).toMatchObject({ lang: "ar", dir: "rtl" });
    expect(i18n.t("counter.detected", { brand: "Tigo" })).toContain(`${FSI}Tigo${PDI}`);
    const tries = [1, 2, 3, 11].map((count) => i18n.t("signIn.attemptsLeft", { count }));
    expect(new Set(tries).size).toBe(4);
    await i18n.changeLanguage("pt");
    expect(document.documentElement).toMatchObject({ lang: "pt", dir: "ltr" });
  });
});

describe("an Arabic keyboard", () => {
  it("types the same digits as a Latin keyboard", () => {
    expect(latinDigits("٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹")).toBe("0123456789 0123456789");
    expect(phoneDigits("+٥٠٢ ٥١٢٣ ٤٥٦٧")).toBe("50251234567");
    expect(parseAmount("٥٢٫٥", 100)).toBe(5250);
  });
});
