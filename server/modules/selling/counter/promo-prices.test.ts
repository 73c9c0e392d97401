import { describe, expect, it } from "vitest";
import { inShopPrices } from "./promo-counter-service.ts";

const USD = { currency: "USD" };
const GTQ = { currency: "GTQ", currencyDivisor: 100, rate: "7.75" };

describe("the prices in a promotion's text", () => {
  it.each([
    ["from 4 USD to 7.99 USD", GTQ, "from 31 GTQ to 61.93 GTQ"],
    ["desde 4,50 USD", GTQ, "desde 34.88 GTQ"],
    ["from 2 USD", GTQ, "from 15.50 GTQ"],
    ["4USD", GTQ, "31GTQ"],
    ["from 4 USD", { currency: "JPY", currencyDivisor: 1, rate: "149.3" }, "from 598 JPY"],
    ["from 4 USD", { currency: "KWD", currencyDivisor: 1000, rate: "0.30715" }, "from 1.229 KWD"],
  ])("become prices in the shop's currency: %s", (text, terms, said) => {
    expect(inShopPrices(text, USD, terms)).toBe(said);
  });

  it.each([
    "up to 1,000 USD",
    "up to 1.000 USD",
    "up to 1,000.50 USD",
    "up to 1 000 USD",
    "up to 1’000 USD",
    "version 2.0.4 USD",
    "from USD 4",
    "4 USDT",
    "from 4 EUR",
  ])("stay unchanged if they are ambiguous: %s", (text) => {
    expect(inShopPrices(text, USD, GTQ)).toBe(text);
  });

  it("stay unchanged if the shop has the same currency", () => {
    const text = "from 4.5 USD";
    expect(inShopPrices(text, USD, { ...GTQ, currency: "USD", rate: "1" })).toBe(text);
  });
});
