import { amountText } from "../../../../lib/amount-text.ts";
import { latinDigits } from "../../../../lib/direction.ts";
import { fractionDigits, parseAmount } from "../../../../lib/money.ts";

const PERCENT_DIGITS = 2;
const WHOLE = 100 * 10 ** PERCENT_DIGITS;

/** Reduces typed text to an amount, or to a percentage that ends with its sign. */
export function discountText(text: string, divisor: number): string {
  const isPercent = /[%٪]/.test(text);
  const amount = amountText(
    latinDigits(text),
    isPercent ? PERCENT_DIGITS : fractionDigits(divisor),
  );
  return isPercent && amount !== "" ? `${amount}%` : amount;
}

/**
 * Returns the discount in minor units; rounds percentages down. Returns undefined if the discount
 * is not valid for this price.
 */
export function readDiscount(text: string, price: number, divisor: number): number | undefined {
  if (text === "") {
    return 0;
  }
  if (text.endsWith("%")) {
    const part = parseAmount(text.slice(0, -1), 10 ** PERCENT_DIGITS);
    return part === undefined || part > WHOLE ? undefined : Math.floor((price * part) / WHOLE);
  }
  const amount = parseAmount(text, divisor);
  return amount === undefined || amount > price ? undefined : amount;
}
