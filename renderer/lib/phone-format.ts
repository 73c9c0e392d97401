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

/** Maximum digits of E.164. */
export const LONGEST_PHONE = 15;

/**
 * Limits of `fewestDigits`: fewer digits may be an amount of cash in many currencies, and more
 * digits are always a phone number.
 */
const FEWEST = { least: 7, most: 8 };

export function fewestDigits(home: string): number {
  const example = isSupportedCountry(home) ? getExampleNumber(home, examples) : undefined;
  const usual = example?.nationalNumber.length ?? FEWEST.least;
  return Math.min(FEWEST.most, Math.max(FEWEST.least, usual));
}

export interface TypedPhone {
  /** Grouped in the country's format, with the leading "+". */
  readonly formatted: string;
  /** ISO 3166-1 alpha-2, as soon as the calling code determines the country. */
  readonly country: string | undefined;
}

/** Returns the digits of a typed or pasted text; a leading "00" means "+". */
export function phoneDigits(text: string): string {
  return allPhoneDigits(text).slice(0, LONGEST_PHONE);
}

function allPhoneDigits(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").replace(/^00/, "");
}

/**
 * Returns a typed or pasted number: its digits, after a "+" if it is marked as international.
 * Without a "+", the gateway decides whether the number belongs to the shop's country.
 */
export function typedNumber(text: string): string {
  const typed = wholeNumber(text);
  return typed.slice(0, typed.startsWith("+") ? LONGEST_PHONE + 1 : LONGEST_PHONE);
}

/** Like `typedNumber`, but keeps excess digits. */
export function wholeNumber(text: string): string {
  const latin = latinDigits(text);
  const isInternational = /^\D*\+/.test(latin) || latin.replaceAll(/\D/g, "").startsWith("00");
  return `${isInternational ? "+" : ""}${allPhoneDigits(latin)}`;
}

export interface ShownNumber extends TypedPhone {
  /**
   * True if the number was read with a country code, although no "+" was typed: the field adds the
   * "+".
   */
  readonly addsPlus: boolean;
}

/**
 * Groups typed digits without waiting for the gateway: in the shop's country format if they may be
 * a local number, else with their country code.
 * @param home the shop's country, empty if unknown
 * @param isLocal the gateway's answer about exactly this number; undefined before the answer
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
 * Returns whether digits without a "+" are, or may become, a number of a country. Returns false if
 * they start with the country's code, or if they are already too many.
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
 * Returns whether the digits are a complete number of the country plus excess digits, and are no
 * complete number of another country.
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
 * Returns the problem of a number that the gateway refuses: excess, missing or wrong digits. A
 * number without a "+" may be meant as a number of the shop's country.
 */
export function numberProblem(typed: string, home = ""): NumberProblem {
  const problem = problemOfDigits(typed, home);
  return problem !== "incomplete" && isProductCode(typed) ? "product" : problem;
}

/** Returns whether digits are a barcode with a valid check digit: UPC-A, EAN-13 or GTIN-14. */
function isProductCode(typed: string): boolean {
  if (!/^\d{12,14}$/.test(typed)) {
    return false;
  }
  const sum = [...typed.padStart(14, "0")].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1),
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

/** Problems in the order in which a clerk can correct them, easiest first. */
const PROBLEMS: readonly NumberProblem[] = ["incomplete", "unknown", "tooLong", "noCountry"];

function problemOfLength(problem: ReturnType<typeof validatePhoneNumberLength>): NumberProblem {
  switch (problem) {
    case "TOO_LONG":
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

/** Parses a complete number, with its country code or in national format; undefined if invalid. */
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

/**
 * Reads a typed number that no gateway reads: without a "+", a valid number of the shop's country,
 * or else a number with its country code.
 * @returns undefined if the digits have no valid length in either country
 */
export function readTyped(typed: string, home: string): ReturnType<typeof readPhone> {
  const abroad = readPhone(`+${phoneDigits(typed)}`, "");
  if (typed.startsWith("+")) {
    return abroad;
  }
  const local = isSupportedCountry(home) ? parsePhoneNumberFromString(typed, home) : undefined;
  return local?.isValid() && local.country === home ? readPhone(typed, home) : abroad;
}
