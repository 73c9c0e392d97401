import { offsetOf } from "../../../server/contract/pos/shop-day.ts";

/** Returns the hour from 0 to 23 in the shop's time zone. */
export function clockHour(timestamp: string, timeZone: string): number {
  const at = Date.parse(timestamp);
  return new Date(at + offsetOf(at, timeZone)).getUTCHours();
}
