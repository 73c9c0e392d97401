import { MOST_IDLE_MINUTES } from "../../../server/contract/pos/settings.ts";
import { latinDigits } from "../../lib/direction.ts";

/** Reads the allowed addresses of a key, one per line; an empty list allows all. */
export function readAddresses(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}

/** Reads the minutes until the lock; undefined if invalid. */
export function readMinutes(text: string): number | undefined {
  const digits = latinDigits(text).trim();
  const minutes = Number(digits);
  return /^\d{1,3}$/.test(digits) && minutes <= MOST_IDLE_MINUTES ? minutes : undefined;
}

/** Returns megabytes rounded to a tenth. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
