import { latinDigits } from "../../../../lib/direction.ts";
export type IccidProblem = "notIccid" | "short" | "long" | "digit";

const SHORTEST = 18;
const MAX_DIGITS = 20;

/** Drops all characters except digits: scanners and cards add spaces and a final F. */
export function iccidDigits(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").slice(0, 24);
}

/** Returns undefined if the digits may be an ICCID. */
export function iccidProblem(digits: string): IccidProblem | undefined {
  if (!"89".startsWith(digits.slice(0, 2))) {
    return "notIccid";
  }
  if (digits.length < SHORTEST) {
    return "short";
  }
  if (digits.length > MAX_DIGITS) {
    return "long";
  }
  return passesLuhn(digits) ? undefined : "digit";
}

/** The last digit is the check digit (ISO/IEC 7812, ITU-T E.118). */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
