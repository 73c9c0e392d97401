/** Minimum number of sales for a percentage. With fewer sales, a percentage would be random. */
const LEAST_FOR_PERCENT = 10;

/** A figure, and the number of sales or lines behind it. */
export interface Compared {
  readonly amount: number;
  readonly of: number;
}

/**
 * Returns the change from another figure in whole percent. Undefined if either figure is based on
 * fewer than ten sales, or if the other figure is zero.
 */
export function changePercent(now: Compared, before: Compared): number | undefined {
  if (now.of < LEAST_FOR_PERCENT || before.of < LEAST_FOR_PERCENT || before.amount <= 0) {
    return undefined;
  }
  return Math.round(((now.amount - before.amount) * 100) / before.amount);
}
