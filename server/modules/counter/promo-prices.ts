import { Exact, type Unit } from "../../lib/money.ts";
import type { PricingTerms } from "../catalog/index.ts";

/**
 * Restates prices in a promotion's text in the shop's currency: "from 4 USD" becomes "from 31 GTQ",
 * rounded up to the minor unit as prices are. Only for texts whose amounts are prices; what is
 * delivered has a currency of its own and stays, and so does a number that can be read in two ways,
 * such as 1,000.
 */
export function inShopPrices(
  text: string,
  from: Pick<Unit, "currency">,
  { currency, currencyDivisor, rate }: PricingTerms,
): string {
  if (from.currency === currency) return text;
  const price = String.raw`(?<![\d.,'\u2019]|\d\s)(\d+(?:[.,]\d{1,2})?)`;
  const decimals = Math.log10(currencyDivisor);
  return text.replace(
    new RegExp(`${price}(\\s?)${from.currency}\\b`, "gu"),
    (_, major: string, gap: string) => {
      const exact = new Exact(major.replace(",", ".")).mul(rate);
      const paid = exact.toDecimalPlaces(decimals, Exact.ROUND_UP);
      return `${paid.toFixed(paid.isInteger() ? 0 : decimals)}${gap}${currency}`;
    },
  );
}
