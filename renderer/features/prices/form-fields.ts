import { latinDigits } from "../../lib/direction.ts";
import { parseAmount, toDecimal } from "../../lib/money.ts";

/** The screen contains the texts of these errors. */
export type RuleFault = "needed" | "percent" | "margin" | "amount" | "day" | "order" | "own";

export type ReadField<Value> = { readonly value: Value } | { readonly fault: RuleFault };

const PERCENT = /^-?[0-9]{1,4}(\.[0-9]{1,6})?$/;
const LARGEST = 1_000_000_000;

/** Reads an exact percentage with a decimal point, as the contract requires. */
export function readPercent(text: string): ReadField<string> {
  const typed = latinDigits(text)
    .replaceAll(/[%٪\s]/g, "")
    .replace(/[,٫]/, ".")
    .replace("−", "-");
  if (typed === "") {
    return { fault: "needed" };
  }
  return PERCENT.test(typed) ? { value: typed } : { fault: "percent" };
}

/** @param mayBeLess true if negative amounts are allowed */
export function readAmount(
  text: string,
  divisor: number,
  { mayBeLess = false }: { readonly mayBeLess?: boolean } = {},
): ReadField<number> {
  const typed = text.trim().replace("−", "-");
  if (typed === "") {
    return { fault: "needed" };
  }
  const isLess = mayBeLess && typed.startsWith("-");
  const amount = parseAmount(isLess ? typed.slice(1) : typed, divisor);
  if (amount === undefined || amount > LARGEST) {
    return { fault: "amount" };
  }
  return { value: isLess && amount !== 0 ? -amount : amount };
}

export function writeAmount(minor: number, divisor: number): string {
  return toDecimal(minor, divisor);
}
