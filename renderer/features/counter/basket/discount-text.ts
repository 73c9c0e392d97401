import { amountText } from "../../../lib/amount-text.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { fractionDigits, parseAmount } from "../../../lib/money.ts";

/** Keeps of a typed discount what can be one: an amount, or a percentage with its sign behind. */
export function discountText(text: string, divisor: number): string {
  const isPercent = /[%٪]/.test(text);
  const amount = amountText(latinDigits(text), isPercent ? 1 : fractionDigits(divisor));
  return isPercent && amount !== "" ? `${amount}%` : amount;
}

/** The discount in minor units, percentages rounded down; undefined when it is none of the price. */
export function readDiscount(text: string, price: number, divisor: number): number | undefined {
  if (text === "") {
    return 0;
  }
  if (text.endsWith("%")) {
    const tenths = parseAmount(text.slice(0, -1), 10);
    return tenths === undefined || tenths > 1000 ? undefined : Math.floor((price * tenths) / 1000);
  }
  const amount = parseAmount(text, divisor);
  return amount === undefined || amount > price ? undefined : amount;
}
