import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";

export const UNLIMITED = "unlimited";

function dataOf({ dataGB, dataUnlimited }: PosEsimOffer): string {
  return dataUnlimited ? UNLIMITED : String(dataGB);
}

/** Data volumes of the plans, smallest first, unlimited last. */
export function dataChoices(plans: readonly PosEsimOffer[]): readonly string[] {
  const gigabytes = [
    ...new Set(plans.filter((plan) => !plan.dataUnlimited).map(({ dataGB }) => dataGB)),
  ];
  const sorted = gigabytes.sort((a, b) => a - b).map(String);
  return plans.some(({ dataUnlimited }) => dataUnlimited) ? [...sorted, UNLIMITED] : sorted;
}

/** Durations of the plans in days, shortest first. */
export function dayChoices(plans: readonly PosEsimOffer[]): readonly number[] {
  return [...new Set(plans.map(({ durationDays }) => durationDays))].sort((a, b) => a - b);
}

interface Filters {
  readonly dataFilter: string | undefined;
  readonly dayFilter: number | undefined;
}

export function filterPlans(
  plans: readonly PosEsimOffer[],
  { dataFilter, dayFilter }: Filters,
): readonly PosEsimOffer[] {
  return plans.filter(
    (plan) =>
      (dataFilter === undefined || dataOf(plan) === dataFilter) &&
      (dayFilter === undefined || plan.durationDays === dayFilter),
  );
}

/** Returns the next filter in the cycle of all plans (undefined) and each choice. */
export function nextChoice<Choice>(
  choices: readonly Choice[],
  now: Choice | undefined,
): Choice | undefined {
  const at = now === undefined ? -1 : choices.indexOf(now);
  return choices[at + 1];
}
