import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { readJson } from "../../../lib/checked-json.ts";

/** Approximate exchange rates to propose at set-up; the owner confirms or changes them. */
const ReferenceRates = Type.Object({
  date: Type.String(),
  base: Type.String(),
  /** Units of the currency for one of the base, exact decimals as text. */
  rates: Type.Record(Type.String(), Type.String()),
});
export type ReferenceRates = Static<typeof ReferenceRates>;

/** The instant of the day that the rates are of: its noon, which has the same date in nearly every zone. */
export function instantOf({ date }: ReferenceRates): number {
  return Date.parse(`${date}T12:00:00Z`);
}

export function readReferenceRates(resourcesDir: string): ReferenceRates {
  const file = join(resourcesDir, "rates", "reference-rates.json");
  return readJson(ReferenceRates, readFileSync(file, "utf8"), file);
}
