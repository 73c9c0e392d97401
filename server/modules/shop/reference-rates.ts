import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Approximate exchange rates to propose at set-up; the owner confirms or changes them. */
export interface ReferenceRates {
  date: string;
  base: string;
  /** Units of the currency for one of the base, exact decimals as text. */
  rates: Record<string, string>;
}

export async function readReferenceRates(resourcesDir: string): Promise<ReferenceRates> {
  const text = await readFile(join(resourcesDir, "rates", "reference-rates.json"), "utf8");
  return JSON.parse(text) as ReferenceRates;
}
