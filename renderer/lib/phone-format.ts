import { AsYouType, validatePhoneNumberLength } from "libphonenumber-js/min";
import { latinDigits } from "./direction.ts";

/** The longest number E.164 allows. */
export const LONGEST_PHONE = 15;

export interface TypedPhone {
  /** Grouped as people of that country read it, with the leading "+". */
  readonly formatted: string;
  /** ISO 3166-1 alpha-2, as soon as the calling code says so. */
  readonly country: string | undefined;
}

/** Only the digits of what was typed or pasted; "00" in front is a way of writing "+". */
export function phoneDigits(text: string): string {
  return allPhoneDigits(text).slice(0, LONGEST_PHONE);
}

/** The same, with those that are too many. */
export function allPhoneDigits(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").replace(/^00/, "");
}

/** Groups digits while they are typed, without waiting for the gateway. */
export function groupPhone(digits: string): TypedPhone {
  if (digits === "") {
    return { formatted: "", country: undefined };
  }
  const typing = new AsYouType();
  const formatted = typing.input(`+${digits}`);
  return { formatted, country: typing.getCountry() };
}

export type NumberProblem = "incomplete" | "tooLong" | "unknown";

/** What is wrong with a number the gateway does not take, by its length: more, fewer, or other digits. */
export function numberProblem(digits: string): NumberProblem {
  switch (validatePhoneNumberLength(`+${digits}`)) {
    case "TOO_LONG":
      return "tooLong";
    case "INVALID_LENGTH":
    case undefined:
      return "unknown";
    default:
      return "incomplete";
  }
}

/** Where the caret goes so that as many digits stand before it as did before regrouping. */
export function caretAfterDigits(formatted: string, count: number): number {
  let seen = 0;
  for (const [index, char] of [...formatted].entries()) {
    if (seen === count && (count > 0 || index > 0)) {
      return index;
    }
    if (/\d/.test(char)) {
      seen += 1;
    }
  }
  return formatted.length;
}

/** Whether a number has a length that exists in its country. */
export function isPossiblePhone(digits: string): boolean {
  return validatePhoneNumberLength(`+${digits}`) === undefined;
}
