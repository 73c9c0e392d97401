import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { NAME_PATTERN, Name } from "./name.ts";

/** Letters per line of an 80 mm roll in the printer's built-in font. */
export const LONGEST_RECEIPT_LINE = 42;
export const MOST_RECEIPT_LINES = 3;

const ReceiptLines = Type.Array(Name(LONGEST_RECEIPT_LINE), {
  maxItems: MOST_RECEIPT_LINES,
  description: `at most ${MOST_RECEIPT_LINES} lines of at most ${LONGEST_RECEIPT_LINE} characters`,
});

export const ReceiptText = Input({
  address: ReceiptLines,
  support: ReceiptLines,
});
export type ReceiptText = Static<typeof ReceiptText>;

export type ReceiptLinesTrouble = "tooMany" | "tooLong" | "unfit";

/** Returns the reason why lines cannot be printed; undefined if they can. */
export function findLinesTrouble(lines: readonly string[]): ReceiptLinesTrouble | undefined {
  if (lines.length > MOST_RECEIPT_LINES) return "tooMany";
  if (lines.some((line) => [...line].length > LONGEST_RECEIPT_LINE)) return "tooLong";
  const fit = new RegExp(NAME_PATTERN, "u");
  return lines.every((line) => fit.test(line)) ? undefined : "unfit";
}
