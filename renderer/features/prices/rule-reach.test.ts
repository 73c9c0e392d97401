import { expect, it } from "vitest";
import type { PriceRule } from "../../../server/contract/pos/prices.ts";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";
import { countReach, NO_RULE } from "./rule-reach.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const INDEX: PosSearchIndex = {
  currency: "GTQ",
  currencyDivisor: 100,
  brands: [],
  groups: [
    {
      productType: "TOPUP",
      brand: "TIGO",
      country: "GT",
      offers: [
        ["TIGO_5", "5 GTQ", 500],
        ["TIGO_10", "10 GTQ", 1_000],
      ],
    },
    { productType: "VOUCHER", brand: "NETFLIX", country: "GT", offers: [["NETFLIX_50", "50", 1]] },
  ],
};

function rule(ruleId: string, change: Partial<PriceRule>): PriceRule {
  return {
    ruleId,
    enabled: true,
    class: "STANDARD",
    channel: "ANY",
    target: {},
    basis: "COST",
    how: "MARKUP",
    percent: "8",
    ...change,
  };
}

it("countReach counts each product only for the rule that prices it, and products without a rule separately", () => {
  const reach = countReach(
    [
      rule("topups", { target: { family: "TOPUP" } }),
      rule("tigo-10", { target: { offerId: "TIGO_10" } }),
      rule("off", { target: { family: "VOUCHER" }, enabled: false }),
      rule("over", { target: { family: "VOUCHER" }, until: "2026-03-01T00:00:00Z" }),
      rule("programs", { target: { family: "VOUCHER" }, channel: "API" }),
    ],
    INDEX,
    NOW,
  );
  expect(Object.fromEntries(reach)).toEqual({
    topups: { count: 1, example: "TIGO_5" },
    "tigo-10": { count: 1, example: "TIGO_10" },
    [NO_RULE]: { count: 1, example: "NETFLIX_50" },
  });
});
