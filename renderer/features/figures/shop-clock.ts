import { offsetOf } from "../../../server/contract/pos/shop-day.ts";

/** The hour that the shop's clocks show at a moment, from 0 to 23. */
export function clockHour(timestamp: string, timeZone: string): number {
  const at = Date.parse(timestamp);
  return new Date(at + offsetOf(at, timeZone)).getUTCHours();
}
