import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";

/** How long after each failed attempt the next one follows (rules#webhook-schedule). */
export const RETRY_DELAYS_MS = [
  SECOND,
  10 * SECOND,
  MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
];
