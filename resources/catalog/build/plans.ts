import type { Decimal } from "decimal.js";
import { type Row, readTable, TableError } from "../../lib/csv.ts";
import { type Allowance, allowance, positive, wholeAllowance, wholeNumber } from "./cells.ts";

export interface PlanRow {
  readonly at: string;
  readonly data: Allowance;
  readonly durationDays: number;
  readonly voice: Allowance;
  readonly sms: Allowance;
  readonly price: Decimal;
}

export const PLAN_COLUMNS = ["dataGB", "durationDays", "voiceMinutes", "sms", "price"] as const;

export interface OperatorPlan extends PlanRow {
  /** Currency of the price; "" for the operator's currency. */
  readonly currency: string;
}

/** Returns the plans. Keys: `country brand`. */
export function readPlans(path: string): Map<string, OperatorPlan[]> {
  const plans = new Map<string, OperatorPlan[]>();
  for (const row of readTable(path, ["country", "brand", "currency", ...PLAN_COLUMNS])) {
    const key = `${row.cells.country} ${row.cells.brand}`;
    const plan = { ...planOf(row), currency: row.cells.currency };
    plans.set(key, [...(plans.get(key) ?? []), plan]);
  }
  return plans;
}

export function planOf({ at, cells }: Row<(typeof PLAN_COLUMNS)[number]>): PlanRow {
  const durationDays = wholeNumber(at, "durationDays", cells.durationDays);
  if (durationDays === 0) throw new TableError(at, "durationDays must be more than 0");
  return {
    at,
    data: allowance(at, "dataGB", cells.dataGB, durationDays),
    durationDays,
    voice: wholeAllowance(at, "voiceMinutes", cells.voiceMinutes, durationDays),
    sms: wholeAllowance(at, "sms", cells.sms, durationDays),
    price: positive(at, "price", cells.price),
  };
}

export function has(part: Allowance): boolean {
  return part.unlimited || part.amount > 0;
}

export function contentsOf(plan: PlanRow): string[] {
  return partsOf(plan, dataText(plan.data));
}

/** Like `contentsOf`, but adds the total of daily data. */
export function fullContentsOf(plan: PlanRow): string[] {
  const { data } = plan;
  const text = dataText(data);
  return partsOf(plan, data.perDay > 0 ? `${text} (${sizeText(data.amount)})` : text);
}

function partsOf({ data, voice, sms }: PlanRow, inData: string): string[] {
  return [
    has(data) ? inData : "",
    has(voice) ? counted(voice, "min", "calls") : "",
    has(sms) ? counted(sms, "SMS", "SMS") : "",
  ].filter((part) => part !== "");
}

export function daysText({ durationDays }: PlanRow): string {
  return durationDays === 1 ? "1 day" : `${durationDays} days`;
}

export function planId({ data, durationDays }: PlanRow): string {
  const size = data.unlimited ? "UNLIMITED" : sizeText(data.amount).replace(" ", "");
  return `${size.replace(".", "_")}_${durationDays}D`;
}

function dataText(data: Allowance): string {
  if (data.unlimited) return "unlimited data";
  return data.perDay > 0 ? `${sizeText(data.perDay)}/day` : sizeText(data.amount);
}

function sizeText(gigabytes: number): string {
  return gigabytes < 1 ? `${Math.round(gigabytes * 1000)} MB` : `${gigabytes} GB`;
}

function counted(part: Allowance, unit: string, noun: string): string {
  if (part.unlimited) return `unlimited ${noun}`;
  return part.perDay > 0 ? `${part.perDay} ${unit}/day` : `${part.amount} ${unit}`;
}
