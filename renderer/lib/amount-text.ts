import { latinDigits } from "./direction.ts";

/** As many as an amount can have in any currency, and still be counted exactly in minor units. */
const MOST_DIGITS = 12;

/** Groups of three behind one sign that is there more than once: it groups, whatever the currency. */
const GROUPED = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/;

/**
 * Keeps of a typed amount what can be one: digits, and one point where a comma or a point is the
 * decimal sign. It is for thousands where another sign follows, or three digits or more and more
 * than the currency has: "1,500.50" and "1.500,50" are 1500.50, "1.500" is 1500 with two digits
 * and stays 1.500 with three. What can be neither ("0.505", or "12.5" without digits) stays as it
 * was typed, for its reader to refuse: nothing is left out of an amount unseen.
 */
export function amountText(text: string, digits: number): string {
  const cleaned = latinDigits(text).replaceAll(/[^\d.,]/g, "");
  const [first = "", ...rest] = GROUPED.test(cleaned)
    ? [cleaned.replaceAll(/\D/g, "")]
    : cleaned.split(/[.,]/);
  const last = rest.pop();
  // No group has fewer than two digits (12,34,567): a sign typed twice is one.
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

/** More digits than the currency has are kept in sight, up to as many as any has. */
function withPoint(before: string, after: string, digits: number): string {
  const whole = wholePart(before);
  const most = whole.length < MOST_DIGITS ? Math.max(3, digits) : digits;
  return `${whole === "" ? "0" : whole}.${after.slice(0, most)}`;
}
