import { Type } from "typebox";
import type { Role } from "./rights.ts";

/** A PIN for which `whyWeak` returns a reason is refused as PIN_WEAK. */
export const Pin = Type.String({ pattern: "^[0-9]{4,8}$", description: "4 to 8 digits" });

/** Reasons for refusing a PIN: easy to guess, or too short for an owner. */
export type PinWeakness = "EASY" | "SHORT";

export const SHORTEST_OWNER_PIN = 6;

/**
 * Returns the reason why a PIN is too weak for a role; undefined if it is strong enough. Easy PINs
 * are a repeated block of digits, digits at equal steps (1234, 1357, 9630), doubled digits, a year,
 * and keypad patterns: adjacent keys (1478, 2580), whole lines (147258) and the four corners.
 * @param pin 4 to 8 digits
 */
export function whyWeak(pin: string, role: Role): PinWeakness | undefined {
  if (isRepeated(pin) || hasEqualSteps(pin) || isPairs(pin) || isYear(pin) || isDrawn(pin)) {
    return "EASY";
  }
  return role === "owner" && pin.length < SHORTEST_OWNER_PIN ? "SHORT" : undefined;
}

function isRepeated(pin: string): boolean {
  return /^(\d{1,4})\1+$/.test(pin);
}

/** A step of 1 up also leads from 9 to 0, and a step of 1 down from 0 to 9. */
function hasEqualSteps(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, n) => Number(digit) - Number(pin[n]));
  const isRow = (step: 1 | 9) => steps.every((one) => (one + 10) % 10 === step);
  return new Set(steps).size === 1 || isRow(1) || isRow(9);
}

function isPairs(pin: string): boolean {
  return /^((\d)\2)+$/.test(pin);
}

function isYear(pin: string): boolean {
  return /^(19|20)\d\d$/.test(pin);
}

/** Returns the position of a key on the keypad; the 0 is below the 8. */
function placeOf(digit: string): readonly [row: number, column: number] {
  const key = Number(digit);
  return key === 0 ? [3, 1] : [Math.floor((key - 1) / 3), (key - 1) % 3];
}

/** Lines of three keys: rows, columns and diagonals, in both directions. */
const LINES = ["123", "456", "789", "147", "258", "369", "159", "357"].flatMap((line) => [
  line,
  [...line].toReversed().join(""),
]);

function isDrawn(pin: string): boolean {
  return isWalk(pin) || isOfLines(pin) || isCorners(pin);
}

/**
 * Returns whether each key is adjacent to the previous key. A path with diagonal steps may turn
 * only once.
 */
function isWalk(pin: string): boolean {
  const places = [...pin].map(placeOf);
  const moves = places.slice(1).map(([row, column], n) => {
    const [fromRow = 0, fromColumn = 0] = places[n] ?? [];
    return [row - fromRow, column - fromColumn] as const;
  });
  if (moves.some(([down, right]) => Math.max(Math.abs(down), Math.abs(right)) !== 1)) return false;
  const isStraight = moves.every(([down, right]) => down === 0 || right === 0);
  const turns = moves.slice(1).filter((move, n) => move.join() !== moves[n]?.join()).length;
  return isStraight || turns <= 1;
}

function isOfLines(pin: string): boolean {
  const threes = pin.match(/.{3}/g) ?? [];
  return threes.length * 3 === pin.length && threes.every((three) => LINES.includes(three));
}

/** Returns whether a PIN consists of the four corners, along the edges or row by row. */
function isCorners(pin: string): boolean {
  if (!/^[1379]{4}$/.test(pin) || new Set(pin).size < 4) return false;
  const places = [...pin].map(placeOf);
  const isEdge = (from: number, way: 0 | 1) => places[from]?.[way] === places[from + 1]?.[way];
  const goesByRows = isEdge(0, 0) && isEdge(2, 0);
  return goesByRows || [0, 1, 2].every((from) => isEdge(from, 0) || isEdge(from, 1));
}
