import type { Role } from "./rights.ts";

/** Why a PIN may not be chosen: among the first that anybody would try, or too short for an owner. */
export type PinWeakness = "EASY" | "SHORT";

export const SHORTEST_OWNER_PIN = 6;

/** Straight lines and corners of the pad, which are chosen as often as years are. */
const SHAPES = new Set(["2580", "0852", "1470", "0741", "3690", "0963", "1397", "1379", "147258"]);

/**
 * Whether a PIN is too weak for a person of that role. Easy ones are a block of digits repeated, digits
 * in a row up or down, each digit twice, a year, and shapes on the pad.
 * @param pin 4 to 8 digits
 */
export function whyWeak(pin: string, role: Role): PinWeakness | undefined {
  if (isRepeated(pin) || isRow(pin) || isPairs(pin) || isYear(pin) || SHAPES.has(pin)) {
    return "EASY";
  }
  return role === "owner" && pin.length < SHORTEST_OWNER_PIN ? "SHORT" : undefined;
}

function isRepeated(pin: string): boolean {
  return /^(\d{1,4})\1+$/.test(pin);
}

function isRow(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, n) => (Number(digit) - Number(pin[n]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}

function isPairs(pin: string): boolean {
  return /^((\d)\2)+$/.test(pin);
}

function isYear(pin: string): boolean {
  return /^(19|20)\d\d$/.test(pin);
}
