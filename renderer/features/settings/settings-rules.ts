import { MOST_IDLE_MINUTES } from "../../../server/contract/pos/settings.ts";
import { latinDigits } from "../../lib/direction.ts";

/** The addresses of a key, one on each line; none is any. */
export function readAddresses(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}

/** The minutes after which the till locks; undefined where that is none. */
export function readMinutes(text: string): number | undefined {
  const digits = latinDigits(text).trim();
  const minutes = Number(digits);
  return /^\d{1,3}$/.test(digits) && minutes <= MOST_IDLE_MINUTES ? minutes : undefined;
}

/** "1.4 MB" as a number and nothing more: how many megabytes, to a tenth. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
