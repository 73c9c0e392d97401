const MINUTE_MS = 60_000;

/** Formats minutes after midnight as "04:30". */
export function timeOfDay(minutes: number): string {
  return new Date(minutes * MINUTE_MS).toISOString().slice(11, 16);
}
