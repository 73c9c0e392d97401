/** Under so many sales, a percentage says more than is known: none is shown. */
const LEAST_FOR_PERCENT = 10;

/** A figure, and the number of sales or lines that it is made of. */
export interface Compared {
  readonly amount: number;
  readonly of: number;
}

/**
 * By how many percent a figure is more than another, whole; below zero it is less. Undefined where
 * either is made of fewer than ten sales, or where there is nothing to compare with.
 */
export function changePercent(now: Compared, before: Compared): number | undefined {
  if (now.of < LEAST_FOR_PERCENT || before.of < LEAST_FOR_PERCENT || before.amount <= 0) {
    return undefined;
  }
  return Math.round(((now.amount - before.amount) * 100) / before.amount);
}
