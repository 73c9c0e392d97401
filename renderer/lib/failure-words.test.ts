import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { FAILURE_CODES } from "../../server/contract/error-codes.ts";
import { FAMILIES } from "../../server/contract/pos/families.ts";
import { LANGUAGES, type Language } from "../../server/contract/pos/setup.ts";
import { failureWords } from "./failure-words.ts";

const OF_TELEPHONES: Record<Language, RegExp> = {
  en: /carrier|phone|top-up|ported|switching|this number/i,
  es: /operador|teléfono|recarga\b|portad|este número/i,
  fr: /opérateur|téléphone|recharge\b(?! le solde)|porté\b|ce numéro/i,
  pt: /operadora|telefone|celular|recarga\b|portad|este número/i,
  ar: /اتصالات|هاتف|شحن(?! الرصيد)|هذا الرقم/,
};

const format = { money: (minor: number) => String(minor) };
const CODES = [...FAILURE_CODES, "A_CODE_OF_TOMORROW"];
const EVERY = LANGUAGES.flatMap((language) =>
  FAMILIES.map((productType) => ({ language, productType })),
);

describe("the text of a failed line", () => {
  it.each(EVERY)("exists in $language for every code of $productType", (one) => {
    const { language, productType } = one;
    const t = i18next.getFixedT(language);
    for (const code of CODES) {
      const failure = { code, message: "" };
      const { what, next } = failureWords({ productType, failure }, t, format);
      for (const words of [what, next]) {
        expect(words, code).not.toMatch(/failure\.|\{\{/);
        expect(words, code).toMatch(/[.؟?!]$/);
        if (productType !== "TOPUP") {
          expect(words, code).not.toMatch(OF_TELEPHONES[language]);
        }
      }
    }
  });

  it.each(LANGUAGES)("names the provider whose balance is short in %s", (language) => {
    const failure = { code: "INSUFFICIENT_FUNDS", message: "", provider: "South", shortBy: 1 };
    const t = i18next.getFixedT(language);
    const { what, next } = failureWords({ productType: "TOPUP", failure }, t, format);
    expect(what).toContain("South");
    expect(next).not.toMatch(/failure\.|\{\{/);
  });

  it("differs for each code, in each family", () => {
    const t = i18next.getFixedT("en");
    for (const productType of FAMILIES) {
      const codes = FAILURE_CODES.filter(
        (code) => code !== "ICCID_NOT_FOUND" || productType === "ESIM",
      );
      const said = codes.map(
        (code) => failureWords({ productType, failure: { code, message: "" } }, t, format).what,
      );
      expect(new Set(said).size, productType).toBe(codes.length);
    }
  });
});
