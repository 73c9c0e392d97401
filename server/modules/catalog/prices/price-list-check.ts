import {
  findClashes,
  type PriceList,
  type PriceRounding,
  type PriceRule,
  periodOf,
  type StoredPriceList,
} from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import { digestOf } from "../../../lib/digest.ts";
import { Exact } from "../../../lib/money.ts";

type Faults = Record<string, string>;

/**
 * Makes the checks that the schema cannot express (rules#price-list-checked).
 * @throws Problem INVALID_REQUEST naming each invalid field below `list`
 */
export function requireValidList(list: PriceList): void {
  const faults: Faults = {};
  const seen = new Set<string>();
  for (const [index, rule] of list.rules.entries()) {
    const path = `list.rules.${index}`;
    for (const [field, fault] of Object.entries(checkRule(rule))) {
      faults[`${path}.${field}`] = fault;
    }
    if (seen.has(rule.ruleId)) faults[`${path}.ruleId`] = "is another rule's too";
    seen.add(rule.ruleId);
  }
  Object.assign(faults, checkSettings(list));
  if (Object.keys(faults).length === 0) Object.assign(faults, checkClashes(list.rules));
  const names = Object.keys(faults);
  if (names.length === 0) return;
  throw new Problem("INVALID_REQUEST", `The price list cannot be: ${names.join(", ")}.`, faults);
}

/**
 * Requires that a list allows no loss that the previous list did not allow.
 * @throws Problem FORBIDDEN naming the permission
 */
export function requireNoNewLoss(list: StoredPriceList, before: StoredPriceList): void {
  const allowed = new Set(losingRules(before));
  const isLower =
    before.floor !== undefined &&
    new Exact(list.floor?.aboveCostPercent ?? "-100").lt(before.floor.aboveCostPercent);
  if (!isLower && losingRules(list).every((rule) => allowed.has(rule))) return;
  const text = "Only an owner allows sales below cost.";
  throw new Problem("FORBIDDEN", text, { right: "belowCost" });
}

function losingRules({ rules }: StoredPriceList): string[] {
  return rules
    .filter(({ belowCost }) => belowCost !== undefined)
    .map(({ since: _since, ...rule }) => digestOf(rule));
}

function checkRule(rule: PriceRule): Faults {
  const { from, until } = periodOf(rule);
  const { minProfit, maxProfit, belowCost, rounding } = rule;
  const byPercent = rule.how === "MARKUP" || rule.how === "MARGIN";
  return pick({
    percent: byPercent ? checkPercent(rule) : barred(rule.percent, rule.how),
    amount: byPercent ? barred(rule.amount, rule.how) : checkAmount(rule),
    basis: rule.how === "MARGIN" && rule.basis !== "COST" ? "must be COST for a MARGIN" : undefined,
    minProfit: rule.how === "SET" ? barred(minProfit, "SET") : undefined,
    maxProfit: rule.how === "SET" ? barred(maxProfit, "SET") : checkProfitLimits(rule),
    until: from < until ? undefined : "must be after from",
    "belowCost.budget":
      belowCost && belowCost.budget < belowCost.maxLossPerSale
        ? "must be at least one sale's maxLossPerSale"
        : undefined,
    rounding: rounding && checkRounding(rounding),
  });
}

function checkPercent({ how, percent }: PriceRule): string | undefined {
  if (percent === undefined) return `is required for ${how}`;
  const value = new Exact(percent);
  if (how === "MARGIN") {
    return value.gte(0) && value.lt(100) ? undefined : "must be at least 0 and under 100";
  }
  return value.gt(-100) ? undefined : "must be over -100";
}

function checkAmount({ how, amount }: PriceRule): string | undefined {
  if (amount === undefined) return `is required for ${how}`;
  return how === "SET" && amount < 0 ? "must not be less than 0" : undefined;
}

function checkProfitLimits({ minProfit = 0, maxProfit = Infinity }: PriceRule): string | undefined {
  return maxProfit < minProfit ? "must not be less than minProfit" : undefined;
}

function barred(value: unknown, how: string): string | undefined {
  return value === undefined ? undefined : `must be left out for ${how}`;
}

/** Requires bands in ascending order, of which the last has no end. */
function checkRounding({ bands }: PriceRounding): string | undefined {
  if (bands.some(({ step, offset }) => offset >= step)) return "has an offset of a step or more";
  const highs = bands.map(({ below }) => below ?? Infinity);
  if (highs.at(-1) !== Infinity) return "must have a last band without an end";
  const isRising = highs.every((high, index) => high > (highs[index - 1] ?? 0));
  return isRising ? undefined : "must have bands that end after each other";
}

function checkSettings(list: PriceList): Faults {
  const notNegative = (percent: string) =>
    new Exact(percent).lt(0) ? "must not be less than 0" : undefined;
  const taxes = Object.entries(list.taxes).map(
    ([family, { percent }]): [string, string | undefined] => [
      `list.taxes.${family}.percent`,
      notNegative(percent),
    ],
  );
  return pick({
    "list.rounding": list.rounding && checkRounding(list.rounding),
    "list.floor.aboveCostPercent": list.floor && notNegative(list.floor.aboveCostPercent),
    "list.fxBufferPercent": notNegative(list.fxBufferPercent),
    "list.driftAlertPercent": notNegative(list.driftAlertPercent),
    ...Object.fromEntries(taxes),
  });
}

/** Names both rules of each pair whose order is undecided. */
function checkClashes(rules: readonly PriceRule[]): Faults {
  const faults: Faults = {};
  for (const [first, second] of findClashes(rules)) {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { ruleId = "", from = "ever", until = "ever", note = "" } = rules[other] ?? {};
      const named = note === "" ? ruleId : `${ruleId} (${note})`;
      faults[`list.rules.${one}`] = `is for the same as ${named}, from ${from} until ${until}`;
    }
  }
  return faults;
}

function pick(faults: Record<string, string | undefined>): Faults {
  const found = Object.entries(faults).filter((entry): entry is [string, string] => !!entry[1]);
  return Object.fromEntries(found);
}
