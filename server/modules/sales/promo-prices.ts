import { Exact, type Unit } from "../../lib/money.ts";
import type { PricingTerms } from "../catalog/index.ts";

/**
 * What a promotion says of prices, as the shop's customers pay them: "from 4 USD" is "from 31 GTQ". Only
 * for texts whose amounts are prices; what is delivered has a currency of its own, which stays.
 */
export function inShopPrices(
  text: string,
  from: Pick<Unit, "currency">,
  { currency, currencyDivisor, rate }: PricingTerms,
): string {
  if (from.currency === currency) return text;
  const amount = new RegExp(`(\\d+(?:[.,]\\d{1,3})?)(\\s?)${from.currency}\\b`, "gu");
  const decimals = Math.log10(currencyDivisor);
  return text.replace(amount, (_, price: string, gap: string) => {
    const converted = new Exact(price.replace(",", ".")).mul(rate);
    return `${converted.toDecimalPlaces(decimals, Exact.ROUND_UP).toString()}${gap}${currency}`;
  });
}
