import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as dineroCurrencies from "dinero.js/currencies";
import { describe, expect, it } from "vitest";

interface ReferenceRates {
  date: string;
  base: string;
  rates: Record<string, string>;
}
const file = join(import.meta.dirname, "reference-rates.json");
const { date, base, rates } = JSON.parse(readFileSync(file, "utf8")) as ReferenceRates;

/**
 * Currencies without a rate: funds, units of account, withdrawn currencies, and currencies that
 * lack a single reliable rate (see the README).
 */
const LEFT_OUT = "BGN BOV CHE CHW CLF COU IRR KPW MMK MXV SDG SYP USN UYI UYW VED XAD YER".split(
  " ",
);

describe("reference rates", () => {
  it("have a date and are based on US dollars", () => {
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(base).toBe("USD");
    expect(rates.USD).toBe("1.00");
  });

  it("exist for every currency in circulation except the listed exceptions", () => {
    const codes = Object.values(dineroCurrencies).map(({ code }) => code);
    const expected = codes.filter((code) => !LEFT_OUT.includes(code));
    expect(Object.keys(rates).filter((code) => codes.includes(code as never))).toEqual(
      expected.sort(),
    );
  });

  it("consist of decimal strings above zero", () => {
    for (const [currency, rate] of Object.entries(rates)) {
      expect(rate, currency).toMatch(/^\d+(?:\.\d+)?$/);
      expect(Number(rate), currency).toBeGreaterThan(0);
    }
  });
});
