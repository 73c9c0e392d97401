import { latinDigits } from "../../../../lib/direction.ts";
export type IccidProblem = "notIccid" | "short" | "long" | "digit";

const SHORTEST = 18;
/** The most digits that the gateway accepts. */
const LONGEST = 20;

/** The digits of what was scanned or typed; scanners and cards write spaces and an F at the end. */
export function iccidDigits(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").slice(0, 24);
}

/** What is wrong with an ICCID; undefined when it can be one. */
export function iccidProblem(digits: string): IccidProblem | undefined {
  if (!"89".startsWith(digits.slice(0, 2))) {
    return "notIccid";
  }
  if (digits.length < SHORTEST) {
    return "short";
  }
  if (digits.length > LONGEST) {
    return "long";
  }
  return passesLuhn(digits) ? undefined : "digit";
}

/** The check digit of ISO/IEC 7812, which the ICCID ends with (ITU-T E.118). */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
