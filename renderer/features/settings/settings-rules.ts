import { MOST_IDLE_MINUTES } from "../../../server/contract/pos/settings.ts";
import { latinDigits } from "../../lib/direction.ts";

/** Splits addresses at lines and commas. An empty list allows all addresses. */
export function readAddresses(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}

/** Returns the minutes; undefined if the text is invalid. */
export function readMinutes(text: string): number | undefined {
  const digits = latinDigits(text).trim();
  const minutes = Number(digits);
  return /^\d{1,3}$/.test(digits) && minutes <= MOST_IDLE_MINUTES ? minutes : undefined;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
