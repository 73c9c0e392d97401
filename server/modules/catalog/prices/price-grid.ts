import type { PriceRounding } from "../../../contract/pos/prices.ts";
import { Exact } from "../../../lib/money.ts";

/** The values `step × k + offset` from `low` to below `high`. */
interface Band {
  low: number;
  high: number;
  step: number;
  offset: number;
}

export interface EvenValues {
  first: number;
  step: number;
  last: number;
}

/** The allowed prices in minor units (rules#price-grid); every price if there is no rounding. */
export class PriceGrid {
  readonly #bands: readonly Band[];
  readonly #direction: PriceRounding["direction"];

  constructor(rounding: PriceRounding | undefined) {
    const { bands, direction } = rounding ?? { bands: [{ step: 1, offset: 0 }], direction: "UP" };
    const highs = bands.map(({ below = Infinity }) => below);
    this.#direction = direction;
    this.#bands = bands.map(({ step, offset }, index) => ({
      low: highs[index - 1] ?? 0,
      high: highs[index] ?? Infinity,
      step,
      offset,
    }));
  }

  round(price: Exact): number {
    const above = this.roundUp(price);
    const below = this.#direction === "UP" ? undefined : this.#roundDown(price);
    if (below === undefined) return above;
    if (this.#direction === "DOWN") return below;
    return price.sub(below).lt(new Exact(above).sub(price)) ? below : above;
  }

  /** Returns the smallest grid value that is not below an exact price. */
  roundUp(price: Exact): number {
    for (const { low, high, step, offset } of this.#bands) {
      if (price.gte(high)) continue;
      const from = price.lt(low) ? new Exact(low) : price;
      const value = from.sub(offset).div(step).ceil().mul(step).add(offset).toNumber();
      if (value < high) return value;
    }
    throw new RangeError("the last band of the grid has no values");
  }

  #roundDown(price: Exact): number | undefined {
    for (const { low, high, step, offset } of this.#bands.toReversed()) {
      if (price.lt(low)) continue;
      const to = price.gte(high) ? new Exact(high - 1) : price;
      const value = to.sub(offset).div(step).floor().mul(step).add(offset).toNumber();
      if (value >= low) return value;
    }
    return undefined;
  }

  /**
   * Returns values with one step, from the smallest grid value. If no step fits all bands, uses the
   * lower band's step for all values, so that the range is not shortened.
   */
  evenValues(min: Exact, max: Exact): EvenValues {
    const first = this.roundUp(min);
    let step = 0;
    for (const band of this.#bands) {
      if (band.high <= first) continue;
      if (step > 0 && max.lt(band.low)) break;
      const common = step === 0 ? { first, step: band.step } : inCommon({ first, step }, band);
      if (common?.first !== first) break;
      step = common.step;
    }
    const last = max.floor().toNumber();
    return { first, step, last: last - mod(last - first, step) };
  }
}

function inCommon(
  row: { first: number; step: number },
  { step, offset }: Band,
): { first: number; step: number } | undefined {
  const shared = greatestDivisor(row.step, step);
  if (mod(offset - row.first, shared) !== 0) return undefined;
  for (let first = row.first; first < row.first + row.step * step; first += row.step) {
    if (mod(first - offset, step) === 0) return { first, step: (row.step / shared) * step };
  }
  return undefined;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function mod(value: number, step: number): number {
  return ((value % step) + step) % step;
}
