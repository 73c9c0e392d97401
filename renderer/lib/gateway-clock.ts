/** Answers take a moment, and both clocks are corrected all the time: less than this is no difference. */
const SAME_MS = 60_000;

let offsetMs = 0;

/** Notes the time that an answer of the gateway states in its `Date` header. */
export function noteGatewayTime(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  const difference = at - Date.now();
  offsetMs = Math.abs(difference) < SAME_MS ? 0 : difference;
}

/**
 * The present by the gateway's clock, which dates all records: a screen with a wrong clock shows the shop's days and
 * ages all the same.
 */
export function gatewayNow(): number {
  return Date.now() + offsetMs;
}
