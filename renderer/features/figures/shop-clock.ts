import { offsetOf } from "../../../server/contract/pos/shop-day.ts";

/** Returns the hour of a moment in the shop's time zone, from 0 to 23. */
export function clockHour(timestamp: string, timeZone: string): number {
  const at = Date.parse(timestamp);
  return new Date(at + offsetOf(at, timeZone)).getUTCHours();
}
