import type { BelowCost, PriceRule, PriceTarget } from "../../../server/contract/pos/prices.ts";
import {
  type ReadField,
  type RuleFault,
  readAmount,
  readPercent,
  writeAmount,
} from "./form-fields.ts";
import { type Moment, readEnd, readStart, writeEnd, writeStart } from "./form-moments.ts";
import { type RoundingForm, readRounding, writeRounding } from "./rounding-form.ts";

export const HOW_CHOICES = [
  "COST_PERCENT",
  "MARGIN",
  "COST_AMOUNT",
  "SUGGESTED_PERCENT",
  "SUGGESTED_AMOUNT",
  "SET",
] as const;
export type HowChoice = (typeof HOW_CHOICES)[number];

/** Amounts and dates are texts, as typed. */
export interface RuleForm {
  readonly ruleId: string;
  readonly enabled: boolean;
  readonly target: PriceTarget;
  readonly class: PriceRule["class"];
  readonly channel: PriceRule["channel"];
  readonly how: HowChoice;
  /** Percentage or amount, depending on `how`. */
  readonly much: string;
  readonly rounding: RoundingForm;
  readonly minProfit: string;
  readonly maxProfit: string;
  readonly allowsLoss: boolean;
  readonly loss: LossForm;
  readonly from: Moment;
  readonly until: Moment;
  readonly note: string;
}

export interface LossForm {
  readonly reason: string;
  readonly until: Moment;
  readonly maxLossPerSale: string;
  readonly budget: string;
}

export interface FormUnit {
  readonly currencyDivisor: number;
  readonly timeZone: string;
}

export const NO_MOMENT: Moment = { day: "", time: "" };
const NO_LOSS: LossForm = { reason: "", until: NO_MOMENT, maxLossPerSale: "", budget: "" };

export function emptyForm(ruleId: string): RuleForm {
  return {
    ruleId,
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    how: "COST_PERCENT",
    much: "",
    rounding: { ends: "list", direction: "UP", bands: [] },
    minProfit: "",
    maxProfit: "",
    allowsLoss: false,
    loss: NO_LOSS,
    from: NO_MOMENT,
    until: NO_MOMENT,
    note: "",
  };
}

export function formOf(rule: PriceRule, unit: FormUnit): RuleForm {
  const { currencyDivisor: divisor, timeZone } = unit;
  const { belowCost } = rule;
  const amount = (minor: number | undefined) =>
    minor === undefined ? "" : writeAmount(minor, divisor);
  return {
    ruleId: rule.ruleId,
    enabled: rule.enabled,
    target: rule.target,
    class: rule.class,
    channel: rule.channel,
    how: choiceOf(rule),
    much: rule.percent ?? amount(rule.amount),
    rounding: writeRounding(rule.rounding, divisor),
    minProfit: amount(rule.minProfit),
    maxProfit: amount(rule.maxProfit),
    allowsLoss: belowCost !== undefined,
    loss: belowCost
      ? {
          reason: belowCost.reason,
          until: writeEnd(belowCost.until, timeZone),
          maxLossPerSale: amount(belowCost.maxLossPerSale),
          budget: amount(belowCost.budget),
        }
      : NO_LOSS,
    from: writeStart(rule.from, timeZone),
    until: writeEnd(rule.until, timeZone),
    note: rule.note ?? "",
  };
}

function choiceOf({ how, basis }: PriceRule): HowChoice {
  if (how === "MARGIN" || how === "SET") {
    return how;
  }
  return `${basis}_${how === "MARKUP" ? "PERCENT" : "AMOUNT"}`;
}

export function isPercentChoice(how: HowChoice): boolean {
  return how === "MARGIN" || how.endsWith("PERCENT");
}

export type RuleField =
  | "much"
  | "rounding"
  | "minProfit"
  | "maxProfit"
  | "from"
  | "until"
  | "lossReason"
  | "lossUntil"
  | "lossMost"
  | "lossBudget";
export type RuleFaults = Partial<Record<RuleField, RuleFault>>;

export function readForm(
  form: RuleForm,
  unit: FormUnit,
): { readonly rule: PriceRule } | { readonly faults: RuleFaults } {
  const faults: RuleFaults = {};
  function take<Value>(field: RuleField, read: ReadField<Value>): Value | undefined {
    if ("fault" in read) {
      faults[field] = read.fault;
      return undefined;
    }
    return read.value;
  }
  const { currencyDivisor: divisor, timeZone } = unit;
  const isSet = form.how === "SET";
  const profit = (text: string): ReadField<number | undefined> =>
    isSet || text.trim() === "" ? { value: undefined } : readAmount(text, divisor);
  const pricing = take("much", readPricing(form, divisor));
  const rounding = take("rounding", readRounding(form.rounding, divisor));
  const minProfit = take("minProfit", profit(form.minProfit));
  const maxProfit = take("maxProfit", profit(form.maxProfit));
  const from = take("from", readStart(form.from, timeZone));
  const until = take("until", readEnd(form.until, timeZone));
  const belowCost = form.allowsLoss ? readLoss(form.loss, unit, take) : undefined;
  if (from !== undefined && until !== undefined && until <= from) {
    faults.until = "order";
  }
  if ((maxProfit ?? Infinity) < (minProfit ?? 0)) {
    faults.maxProfit = "order";
  }
  if (!pricing || Object.keys(faults).length > 0) {
    return { faults };
  }
  const note = form.note.trim();
  return {
    rule: {
      ruleId: form.ruleId,
      enabled: form.enabled,
      target: form.target,
      class: form.class,
      channel: form.channel,
      ...pricing,
      ...(minProfit !== undefined && { minProfit }),
      ...(maxProfit !== undefined && { maxProfit }),
      ...(rounding !== undefined && { rounding }),
      ...(belowCost !== undefined && { belowCost }),
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
      ...(note !== "" && { note }),
    },
  };
}

type Pricing = Pick<PriceRule, "basis" | "how" | "percent" | "amount">;

function readPricing({ how, much }: RuleForm, divisor: number): ReadField<Pricing> {
  const basis = how.startsWith("SUGGESTED") ? "SUGGESTED" : "COST";
  if (isPercentChoice(how)) {
    const read = readPercent(much);
    if ("fault" in read) {
      return read;
    }
    const percent = read.value;
    const isMargin = how === "MARGIN";
    if (isMargin ? !(Number(percent) >= 0 && Number(percent) < 100) : Number(percent) <= -100) {
      return { fault: isMargin ? "margin" : "percent" };
    }
    return { value: { basis, how: isMargin ? "MARGIN" : "MARKUP", percent } };
  }
  const read = readAmount(much, divisor, { mayBeLess: how !== "SET" });
  return "fault" in read
    ? read
    : { value: { basis, how: how === "SET" ? "SET" : "ADD", amount: read.value } };
}

function readLoss(
  form: LossForm,
  { currencyDivisor, timeZone }: FormUnit,
  take: <Value>(field: RuleField, read: ReadField<Value>) => Value | undefined,
): BelowCost | undefined {
  const reason = take(
    "lossReason",
    form.reason.trim() === "" ? { fault: "needed" } : { value: form.reason.trim() },
  );
  const end = readEnd(form.until, timeZone);
  const until = take("lossUntil", "value" in end && !end.value ? { fault: "needed" } : end);
  const maxLossPerSale = take("lossMost", readAmount(form.maxLossPerSale, currencyDivisor));
  const budget = take("lossBudget", readAmount(form.budget, currencyDivisor));
  if (budget !== undefined && maxLossPerSale !== undefined && budget < maxLossPerSale) {
    take("lossBudget", { fault: "order" });
  }
  return reason !== undefined &&
    until !== undefined &&
    maxLossPerSale !== undefined &&
    budget !== undefined
    ? { reason, until, maxLossPerSale, budget }
    : undefined;
}
