import type { PriceBand, PriceRounding } from "../../../server/contract/pos/prices.ts";
import { bandOf, type Ending, endingOf } from "../../lib/price-endings.ts";
import { type ReadField, readAmount, writeAmount } from "./form-fields.ts";

/** Rounding of the list, a common ending, or own bands. */
export interface RoundingForm {
  readonly ends: "list" | Ending | "own";
  readonly direction: PriceRounding["direction"];
  readonly bands: readonly BandForm[];
}

/**
 * Prices below `below` are rounded to multiples of `step`, plus `offset`. In the last band `below`
 * is empty.
 */
export interface BandForm {
  readonly below: string;
  readonly step: string;
  readonly offset: string;
}

export const EMPTY_BAND: BandForm = { below: "", step: "", offset: "" };

export function writeRounding(rounding: PriceRounding | undefined, divisor: number): RoundingForm {
  if (!rounding) {
    return { ends: "list", direction: "UP", bands: [] };
  }
  const { direction, bands } = rounding;
  const ending = endingOf(rounding, divisor);
  return {
    ends: ending ?? "own",
    direction,
    bands: ending ? [] : bands.map((band) => writeBand(band, divisor)),
  };
}

function writeBand({ below, step, offset }: PriceBand, divisor: number): BandForm {
  return {
    below: below === undefined ? "" : writeAmount(below, divisor),
    step: writeAmount(step, divisor),
    offset: writeAmount(offset, divisor),
  };
}

/** Reads the rounding. Bands must ascend, and the last band must have no end. */
export function readRounding(
  { ends, direction, bands }: RoundingForm,
  divisor: number,
): ReadField<PriceRounding | undefined> {
  if (ends === "list") {
    return { value: undefined };
  }
  if (ends !== "own") {
    return { value: { direction, bands: [bandOf(ends, divisor)] } };
  }
  const read = bands.map((band) => readBand(band, divisor));
  const whole = read.filter((band) => band !== undefined);
  const highs = whole.map(({ below }) => below ?? Infinity);
  const isRising = highs.every((high, index) => high > (highs[index - 1] ?? 0));
  const isSound = whole.length > 0 && whole.length === read.length && highs.at(-1) === Infinity;
  return isSound && isRising ? { value: { direction, bands: whole } } : { fault: "own" };
}

function readBand({ below, step, offset }: BandForm, divisor: number): PriceBand | undefined {
  const by = readAmount(step, divisor);
  const on = readAmount(offset === "" ? "0" : offset, divisor);
  const end = below.trim() === "" ? { value: undefined } : readAmount(below, divisor);
  if ("fault" in by || "fault" in on || "fault" in end || by.value < 1 || on.value >= by.value) {
    return undefined;
  }
  return {
    ...(end.value !== undefined && { below: end.value }),
    step: by.value,
    offset: on.value,
  };
}
