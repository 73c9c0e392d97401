import { latinDigits } from "./direction.ts";

/** As many as an amount can have in any currency, and still be counted exactly in minor units. */
const MOST_DIGITS = 12;

/** Keeps of a typed amount what can be one: digits, and one point with as many digits as it has. */
export function amountText(text: string, digits: number): string {
  const cleaned = latinDigits(text)
    .replaceAll(",", ".")
    .replaceAll(/[^\d.]/g, "");
  const [whole = "", ...rest] = cleaned.split(".");
  const shown = whole.replace(/^0+(?=\d)/, "").slice(0, MOST_DIGITS);
  return rest.length === 0 || digits === 0
    ? shown
    : `${shown === "" ? "0" : shown}.${rest.join("").slice(0, digits)}`;
}
