import { latinDigits } from "./direction.ts";

/** Keeps of a typed amount what can be one: digits, and one point with as many digits as it has. */
export function amountText(text: string, digits: number): string {
  const cleaned = latinDigits(text)
    .replaceAll(",", ".")
    .replaceAll(/[^\d.]/g, "");
  const [whole = "", ...rest] = cleaned.split(".");
  const shown = whole.replace(/^0+(?=\d)/, "").slice(0, 9);
  return rest.length === 0 || digits === 0
    ? shown
    : `${shown === "" ? "0" : shown}.${rest.join("").slice(0, digits)}`;
}
