import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { latinDigits } from "../../../../lib/direction.ts";
import {
  allPhoneDigits,
  canonicalPhone,
  groupPhone,
  isPossiblePhone,
  LONGEST_PHONE,
} from "../../../../lib/phone-format.ts";

/** The most characters that the gateway accepts for a field. */
const LONGEST = 512;

export type FieldProblem = "empty" | "long" | "phone" | "email";

/** Places of a mask of digits: each 9 is one, and what stands between them is not typed. */
function placesOf(mask = ""): number {
  return mask.replaceAll(/[^9]/g, "").length;
}

/**
 * What is kept of what was typed into a field: all that its kind accepts. An account that is cut to its
 * length is another person's.
 */
export function cleanField({ kind }: PosField, text: string): string {
  switch (kind) {
    case "PHONE":
      return allPhoneDigits(text);
    case "DIGITS":
      return latinDigits(text).replaceAll(/\D/g, "");
    default:
      return text.replaceAll(/\p{Cc}/gu, "");
  }
}

/** As many characters as the field has room for (rules#bill-account-mask). */
export function mostOf(field: PosField): number {
  return field.kind === "PHONE" ? LONGEST_PHONE : maskLength(field) || LONGEST;
}

/** How it is shown while it is typed. */
export function shownField({ kind }: PosField, text: string): string {
  return kind === "PHONE" ? groupPhone(text).formatted : text;
}

/** What is wrong with it; undefined when it can be sent. */
export function fieldProblem(field: PosField, text: string): FieldProblem | undefined {
  const value = text.trim();
  if (value === "") {
    return "empty";
  }
  if (value.length > mostOf(field)) {
    return "long";
  }
  if (field.kind === "PHONE") {
    return isPossiblePhone(value) ? undefined : "phone";
  }
  return field.kind === "EMAIL" && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value)
    ? "email"
    : undefined;
}

/**
 * Fewer characters than the brand's mask has places: worth a second look, but no mistake by itself
 * (rules#bill-account-mask).
 */
export function isShortOfMask({ kind, inputMask }: PosField, text: string): boolean {
  return kind === "DIGITS" && text !== "" && text.length < placesOf(inputMask);
}

/** As many places as the mask has; 0 without one. */
export function maskLength({ kind, inputMask }: PosField): number {
  return kind === "DIGITS" ? placesOf(inputMask) : 0;
}

/** The field as it is sent. */
export function fieldValue({ kind }: PosField, text: string): string {
  return kind === "PHONE" ? canonicalPhone(text) : text.trim();
}
