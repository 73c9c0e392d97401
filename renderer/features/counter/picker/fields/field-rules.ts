import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { latinDigits } from "../../../../lib/direction.ts";
import { groupTyped, LONGEST_PHONE, readTyped, wholeNumber } from "../../../../lib/phone-format.ts";

const MAX_LENGTH = 512;

export type FieldProblem = "empty" | "long" | "phone" | "email";

/** Counts the digits of a mask, in which each 9 stands for a digit. */
function placesOf(mask = ""): number {
  return mask.replaceAll(/[^9]/g, "").length;
}

export function takesNumber({ kind }: PosField): boolean {
  return kind === "PHONE" || kind === "DIGITS";
}

/**
 * Removes characters that the field's kind does not allow. Never shortens the text: a shortened
 * account may be another person's.
 */
export function cleanField({ kind }: PosField, text: string): string {
  switch (kind) {
    case "PHONE":
      return wholeNumber(text);
    case "DIGITS":
      return latinDigits(text).replaceAll(/\D/g, "");
    default:
      return text.replaceAll(/\p{Cc}/gu, "");
  }
}

/** Returns the maximum number of characters (rules#bill-account-mask). */
export function mostOf(field: PosField): number {
  return field.kind === "PHONE" ? LONGEST_PHONE : maskLength(field) || MAX_LENGTH;
}

/** @param home the shop's country, whose numbers need no country code */
export function shownField({ kind }: PosField, text: string, home: string): string {
  if (kind !== "PHONE") {
    return text;
  }
  const read = readTyped(text, home);
  return groupTyped(text, home, read && read.country === home).formatted;
}

/**
 * Returns the reason why the text cannot be sent; undefined if it can be sent.
 * @param home the shop's country, whose numbers need no country code
 */
export function fieldProblem(
  field: PosField,
  text: string,
  home: string,
): FieldProblem | undefined {
  const value = text.trim();
  if (value === "") {
    return "empty";
  }
  if (value.replace("+", "").length > mostOf(field)) {
    return "long";
  }
  if (field.kind === "PHONE") {
    return readTyped(value, home) ? undefined : "phone";
  }
  return field.kind === "EMAIL" && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value)
    ? "email"
    : undefined;
}

/**
 * Returns whether an account has fewer digits than its mask. The clerk is only warned
 * (rules#bill-account-mask).
 */
export function isShortOfMask({ kind, inputMask }: PosField, text: string): boolean {
  return kind === "DIGITS" && text !== "" && text.length < placesOf(inputMask);
}

/** Returns the number of digits in the mask; 0 without a mask. */
export function maskLength({ kind, inputMask }: PosField): number {
  return kind === "DIGITS" ? placesOf(inputMask) : 0;
}

/** Returns the value for the gateway, and its text for people. */
export function givenValue(
  { kind }: PosField,
  text: string,
  home: string,
): { value: string; shown: string } {
  const phone = kind === "PHONE" ? readTyped(text, home) : undefined;
  const plain = text.trim();
  return phone ? { value: phone.number, shown: phone.formatted } : { value: plain, shown: plain };
}
