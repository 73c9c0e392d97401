import type { Decimal } from "decimal.js";
import { readTable, TableError } from "../../lib/csv.ts";
import { type Allowance, allowance, positive, wholeAllowance, wholeNumber } from "./cells.ts";

/** A data pack or bundle of one operator; the price is in its currency. */
export interface PlanRow {
  readonly at: string;
  readonly data: Allowance;
  readonly durationDays: number;
  readonly voice: Allowance;
  readonly sms: Allowance;
  readonly price: Decimal;
}

/** The plans of every operator, by `country brand`. */
export function readPlans(path: string): Map<string, PlanRow[]> {
  const plans = new Map<string, PlanRow[]>();
  const rows = readTable(path, [
    "country",
    "brand",
    "dataGB",
    "durationDays",
    "voiceMinutes",
    "sms",
    "price",
  ]);
  for (const { at, cells } of rows) {
    const plan: PlanRow = {
      at,
      data: allowance(at, "dataGB", cells.dataGB),
      durationDays: wholeNumber(at, "durationDays", cells.durationDays),
      voice: wholeAllowance(at, "voiceMinutes", cells.voiceMinutes),
      sms: wholeAllowance(at, "sms", cells.sms),
      price: positive(at, "price", cells.price),
    };
    if (plan.durationDays === 0) throw new TableError(at, "durationDays must be more than 0");
    const key = `${cells.country} ${cells.brand}`;
    plans.set(key, [...(plans.get(key) ?? []), plan]);
  }
  return plans;
}
