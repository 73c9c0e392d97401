import {
  AsYouType,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { latinDigits } from "./direction.ts";

/** The longest number E.164 allows. */
export const LONGEST_PHONE = 15;

/** Fewer digits than these are cash in many a currency, more than these a number everywhere. */
const FEWEST = { least: 7, most: 8 };

/** Digits of the shortest number that people of a country type, as far as it is told from cash. */
export function fewestDigits(home: string): number {
  const example = isSupportedCountry(home) ? getExampleNumber(home, examples) : undefined;
  const usual = example?.nationalNumber.length ?? FEWEST.least;
  return Math.min(FEWEST.most, Math.max(FEWEST.least, usual));
}

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

/**
 * A number as it was typed or pasted: its digits, after a "+" where it says itself that it is
 * international. Without, the gateway says whether it is one of the shop's own country.
 */
export function typedNumber(text: string): string {
  const latin = latinDigits(text);
  const isInternational = /^\D*\+/.test(latin) || latin.replaceAll(/\D/g, "").startsWith("00");
  return `${isInternational ? "+" : ""}${phoneDigits(latin)}`;
}

/** A typed number as it stands in the field. */
export interface ShownNumber extends TypedPhone {
  /** Read with its country code, though no "+" was typed: one stands in front of it. */
  readonly addsPlus: boolean;
}

/**
 * Groups what was typed, without waiting for the gateway: as people of the shop's country do while
 * it may be one of their numbers, else with its country code.
 * @param home the shop's country, empty when it is not known
 * @param isLocal what the gateway has said of exactly this number, undefined before it has
 */
export function groupTyped(typed: string, home: string, isLocal?: boolean): ShownNumber {
  if (typed.startsWith("+")) {
    const { formatted, country } = groupPhone(typed.slice(1));
    return { formatted: formatted || "+", country, addsPlus: false };
  }
  if (isSupportedCountry(home) && (isLocal ?? (mayBeLocal(typed, home) || runsOver(typed, home)))) {
    const formatted = new AsYouType(home).input(typed);
    return { formatted, country: isLocal ? home : undefined, addsPlus: false };
  }
  const { formatted, country } = groupPhone(typed);
  return { formatted: formatted.replace("+", ""), country, addsPlus: typed !== "" };
}

/**
 * Whether digits without a "+" can be a number of a country, or the beginning of one. Those that
 * begin with its code are hardly ever, and those that were too many once are not with more.
 */
export function mayBeLocal(digits: string, home: string): boolean {
  if (!isSupportedCountry(home) || digits.startsWith(getCountryCallingCode(home))) {
    return false;
  }
  return [...digits].every((_, at) => {
    const problem = validatePhoneNumberLength(digits.slice(0, at + 1), home);
    return problem !== "TOO_LONG" && problem !== "INVALID_LENGTH";
  });
}

/**
 * Whether digits without a "+" were a complete number of a country before the last of them, and are no
 * complete one of another: keys too many make no foreign number of it.
 */
function runsOver(digits: string, home: string): boolean {
  if (!isSupportedCountry(home) || mayBeLocal(digits, home) || isNumber(digits)) {
    return false;
  }
  return [...digits].some((_, at) => {
    const before = digits.slice(0, at);
    return mayBeLocal(before, home) && validatePhoneNumberLength(before, home) === undefined;
  });
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

export type NumberProblem = "incomplete" | "noCountry" | "product" | "tooLong" | "unknown";

/**
 * What is wrong with a number the gateway does not take, by its length: more, fewer, or other digits.
 * One that was typed without a "+" may be meant as one of the shop's country.
 */
export function numberProblem(typed: string, home = ""): NumberProblem {
  const problem = problemOfDigits(typed, home);
  return problem !== "incomplete" && isProductCode(typed) ? "product" : problem;
}

/** Whether digits are the barcode of a product: 12 digits (UPC-A) or 13 (EAN-13), with their check digit. */
function isProductCode(typed: string): boolean {
  if (!/^\d{12,13}$/.test(typed)) {
    return false;
  }
  const sum = [...typed.padStart(13, "0")].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}

function problemOfDigits(typed: string, home: string): NumberProblem {
  const digits = phoneDigits(typed);
  const isLocal = isSupportedCountry(home) && !typed.startsWith("+");
  const abroad = problemOfLength(validatePhoneNumberLength(`+${digits}`));
  if (isLocal && runsOver(digits, home)) {
    return "tooLong";
  }
  const problems = [
    ...(typed.startsWith("0") ? [] : [abroad]),
    ...(isLocal ? [problemOfLength(validatePhoneNumberLength(digits, home))] : []),
  ];
  return PROBLEMS.find((problem) => problems.includes(problem)) ?? "unknown";
}

/** The one that a clerk mends most easily first. */
const PROBLEMS: readonly NumberProblem[] = ["incomplete", "unknown", "tooLong", "noCountry"];

function problemOfLength(problem: ReturnType<typeof validatePhoneNumberLength>): NumberProblem {
  switch (problem) {
    case "TOO_LONG":
    // Longer than one that exists, and shorter than another.
    case "INVALID_LENGTH":
      return "tooLong";
    case "INVALID_COUNTRY":
      return "noCountry";
    case undefined:
      return "unknown";
    default:
      return "incomplete";
  }
}

/** Where the caret goes so that as many digits stand before it as did before regrouping. */
export function caretAfterDigits(formatted: string, count: number): number {
  if (count === 0) {
    return formatted.startsWith("+") ? 1 : 0;
  }
  let seen = 0;
  for (const [index, char] of [...formatted].entries()) {
    if (seen === count) {
      return index;
    }
    if (/\d/.test(char)) {
      seen += 1;
    }
  }
  return formatted.length;
}

function isNumber(digits: string): boolean {
  return parsePhoneNumberFromString(`+${digits}`)?.isValid() ?? false;
}

/** A whole number, with its country's code or as it is dialled at home; undefined where it can be none. */
export function readPhone(text: string, home: string) {
  const parsed = parsePhoneNumberFromString(
    latinDigits(text),
    isSupportedCountry(home) ? home : undefined,
  );
  return parsed?.isPossible()
    ? {
        number: String(parsed.number),
        formatted: parsed.formatInternational(),
        country: parsed.country ?? "",
      }
    : undefined;
}

/** Whether a number has a length that exists in its country, once its trunk prefix is dropped. */
export function isPossiblePhone(digits: string): boolean {
  return parsePhoneNumberFromString(`+${digits}`)?.isPossible() ?? false;
}

/** The canonical E.164 form of digits with their country code; others stay as they are. */
export function canonicalPhone(digits: string): string {
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  return parsed?.isValid() ? parsed.number : `+${digits}`;
}
