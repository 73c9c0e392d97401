import fc from "fast-check";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";
import { contentsWords } from "./contents-words.ts";

function inLanguage(title: string, language: string): string {
  const t = i18next.getFixedT(language);
  return contentsWords(title, language, (key, values) => t(`counter.${key}`, values));
}

describe("the translation of an offer's contents", () => {
  it.each([
    [
      "12 GB, unlimited calls, unlimited SMS, 30 days",
      "es",
      "12 GB, llamadas ilimitadas, SMS ilimitados, 30 días",
    ],
    ["500 MB, 1 day", "fr", "500 Mo, 1 jour"],
    ["1.5 GB, 7 days", "pt", "1,5 GB, 7 dias"],
    ["1 GB, 7 days", "en", "1 GB, 7 days"],
    [
      "1.5 GB/day, unlimited calls, 100 SMS/day, 28 days",
      "fr",
      "1,5 Go par jour, appels illimités, 100 SMS par jour, 28 jours",
    ],
    ["2 GB/day, 28 days", "es", "2 GB al día, 28 días"],
    ["500 MB/day, 28 days", "pt", "500 MB por dia, 28 dias"],
    ["2 GB/day, 100 SMS/day, 84 days", "en", "2 GB/day, 100 SMS/day, 84 days"],
    ["unlimited data, 100 min, 3 days", "en", "Unlimited data, 100 min, 3 days"],
  ])("translates %s into %s", (title, language, words) => {
    expect(inLanguage(title, language)).toBe(words);
  });

  it("uses Arabic plural forms", () => {
    const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");
    expect(plain(inLanguage("5 min, 2 days", "ar"))).toBe("5 دقائق، يومان");
    expect(plain(inLanguage("100 SMS, 11 days", "ar"))).toBe("100 رسالة، 11 يومًا");
    expect(plain(inLanguage("2 GB/day, 5 SMS/day", "ar"))).toBe(
      "2 غيغابايت في اليوم، 5 رسائل في اليوم",
    );
  });

  it("leaves a title with unknown parts unchanged", () => {
    for (const title of [
      "25 GTQ",
      "1 GB for chats, 7 days",
      "2 GB/day for chats",
      "1 GB/week",
      "3 GB, 30 días",
      "Netflix",
      "",
    ]) {
      for (const language of LANGUAGES) {
        expect(inLanguage(title, language)).toBe(title);
      }
    }
  });

  it("never loses or adds a part", () => {
    const part = fc.oneof(
      fc.integer({ min: 1, max: 999 }).map((n) => `${n} GB`),
      fc.integer({ min: 1, max: 999 }).map((n) => `${n} min`),
      fc.constantFrom("unlimited data", "unlimited calls", "unlimited SMS"),
      fc.integer({ min: 1, max: 365 }).map((n) => `${n} days`),
    );
    const language = fc.constantFrom(...LANGUAGES);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), language, (parts, spoken) => {
        const said = inLanguage(parts.join(", "), spoken).split(/, |، /);
        expect(said).toHaveLength(parts.length);
        expect(said.join()).not.toMatch(/\{\{|counter\./);
      }),
    );
  });
});
