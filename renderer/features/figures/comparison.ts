const LEAST_FOR_PERCENT = 10;

/** `of` is the number of sales or lines that the figure is based on. */
export interface Compared {
  readonly amount: number;
  readonly of: number;
}

/**
 * Returns the change in whole percent. Undefined below ten sales in either period, or if the
 * earlier figure is not positive.
 */
export function changePercent(now: Compared, before: Compared): number | undefined {
  if (now.of < LEAST_FOR_PERCENT || before.of < LEAST_FOR_PERCENT || before.amount <= 0) {
    return undefined;
  }
  return Math.round(((now.amount - before.amount) * 100) / before.amount);
}
