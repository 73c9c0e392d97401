import { MOST_IDLE_MINUTES } from "../../../server/contract/pos/settings.ts";
import { latinDigits } from "../../lib/direction.ts";

/** Addresses are separated by lines or commas; an empty list allows all addresses. */
export function readAddresses(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}

/** Returns undefined if the text is not valid. */
export function readMinutes(text: string): number | undefined {
  const digits = latinDigits(text).trim();
  const minutes = Number(digits);
  return /^\d{1,3}$/.test(digits) && minutes <= MOST_IDLE_MINUTES ? minutes : undefined;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
