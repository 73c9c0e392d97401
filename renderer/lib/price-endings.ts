import type { PriceBand, PriceRounding } from "../../server/contract/pos/prices.ts";

/** Price endings that people can choose; `none` rounds to the smallest coin. */
export const ENDINGS = ["none", "whole", "half", "ninety", "ninetyNine"] as const;
export type Ending = (typeof ENDINGS)[number];

const HUNDREDTHS: Readonly<Record<Exclude<Ending, "none">, number>> = {
  whole: 0,
  half: 50,
  ninety: 90,
  ninetyNine: 99,
};

/**
 * Returns the distance between two prices with the same ending, in minor units. In a currency
 * without decimals it is 100: prices end in 00, 50, 90 or 99.
 */
function endingUnit(divisor: number): number {
  return Math.max(divisor, 100);
}

export function bandOf(ending: Ending, divisor: number): PriceBand {
  if (ending === "none") {
    return { step: 1, offset: 0 };
  }
  const step = endingUnit(divisor);
  return { step, offset: (step * HUNDREDTHS[ending]) / 100 };
}

export function endingOf({ bands }: PriceRounding, divisor: number): Ending | undefined {
  const [band, another] = bands;
  if (!band || another || band.below !== undefined) {
    return undefined;
  }
  return ENDINGS.find((ending) => {
    const { step, offset } = bandOf(ending, divisor);
    return band.step === step && band.offset === offset;
  });
}

/** Formats an ending: ".50", or "50" in a currency without decimals. */
export function endingText(ending: Exclude<Ending, "none">, divisor: number): string {
  const digits = String(HUNDREDTHS[ending]).padStart(2, "0");
  return divisor >= 100 ? `.${digits.padEnd(String(divisor).length - 1, "0")}` : digits;
}
