import { latinDigits } from "./direction.ts";

/**
 * Maximum number of digits before the decimal point, in any currency, so that minor units stay
 * exact.
 */
const MOST_DIGITS = 12;

/** Groups of three digits with a repeated sign, which is a group separator in any currency. */
const GROUPED = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/;

/**
 * Normalizes a typed amount to digits and at most one point. A comma or a point may be the decimal
 * sign. It separates thousands in two cases: another sign follows, or three or more digits follow
 * and the currency has fewer decimals. "1,500.50" and "1.500,50" become 1500.50. "1.500" becomes
 * 1500 in a currency with two decimals, and 1.500 with three. An ambiguous text, such as "0.505",
 * or "12.5" in a currency without decimals, stays as typed, so that the parser refuses it.
 */
export function amountText(text: string, digits: number): string {
  const cleaned = latinDigits(text).replaceAll(/[^\d.,]/g, "");
  const [first = "", ...rest] = GROUPED.test(cleaned)
    ? [cleaned.replaceAll(/\D/g, "")]
    : cleaned.split(/[.,]/);
  const last = rest.pop();
  // Groups have at least two digits (12,34,567): a shorter group means a sign typed twice.
  const short = rest.findIndex((group) => group.length < 2);
  if (last === undefined) {
    return wholePart(first);
  }
  if (short !== -1) {
    return withPoint(first + rest.slice(0, short).join(""), rest[short] + last, digits);
  }
  const before = first + rest.join("");
  const isGroup = last.length >= Math.max(3, digits + 1) && /[1-9]/.test(before);
  return isGroup && (before + last).length <= MOST_DIGITS
    ? wholePart(before + last)
    : withPoint(before, last, digits);
}

function wholePart(text: string): string {
  return text.replace(/^0+(?=\d)/, "").slice(0, MOST_DIGITS);
}

/**
 * Joins whole part and decimals. Keeps up to three decimals even if the currency has fewer, so that
 * they stay visible.
 */
function withPoint(before: string, after: string, digits: number): string {
  const whole = wholePart(before);
  const most = whole.length < MOST_DIGITS ? Math.max(3, digits) : digits;
  return `${whole === "" ? "0" : whole}.${after.slice(0, most)}`;
}
