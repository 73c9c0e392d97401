import type { Environment } from "../../../contract/common.ts";
import {
  type CopyBlock,
  type DifferenceKind,
  type EnvironmentDifference,
  LIST_SETTINGS,
} from "../../../contract/pos/environment-copy.ts";
import type { SwitchTarget } from "../../../contract/pos/office-catalog.ts";
import {
  findClashes,
  type PriceList,
  type PriceListSettings,
  type PriceRule,
} from "../../../contract/pos/prices.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { digestOf } from "../../../lib/digest.ts";
import { fitsTarget } from "../../catalog/catalog/index.ts";
import {
  findNewest,
  type PriceAuthor,
  type PriceListService,
  readListInForce,
} from "../../catalog/prices/index.ts";

export interface Sides {
  db: Db | Tx;
  accountId: string;
  from: Environment;
  to: Environment;
  offers: { from: readonly Offer[]; to: readonly Offer[] };
  now: number;
}

type Content = Omit<EnvironmentDifference, "id" | "stamp" | "kind" | "blocked" | "missing">;

const STAMP_LENGTH = 24;

export function toDifference(
  kind: DifferenceKind,
  name: string,
  content: Content,
  why: { blocked?: CopyBlock | undefined; missing?: string[] } = {},
): EnvironmentDifference {
  const { blocked, missing = [] } = why;
  // The number of affected offers is not copied.
  const { offers: _offers, ...copied } = content;
  return {
    id: `${kind}:${name}`,
    stamp: digestOf(copied).slice(0, STAMP_LENGTH),
    kind,
    ...(blocked !== undefined && { blocked }),
    missing,
    ...content,
  };
}

export function pair<Value>(
  from: Value | undefined,
  to: Value | undefined,
): { from?: Value; to?: Value } | undefined {
  if (digestOf(from) === digestOf(to)) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/**
 * Returns whether a catalog has a matching offer. A target that names at most a family always
 * matches.
 */
export function isSold(target: SwitchTarget, offers: readonly Offer[]): boolean {
  const { family: _family, ...named } = target;
  return Object.keys(named).length === 0 || offers.some((offer) => fitsTarget(offer, target));
}

/** Returns a name that does not depend on the order of the target's fields. */
export function toTargetName(target: SwitchTarget): string {
  return digestOf(target).slice(0, STAMP_LENGTH);
}

interface PairOfRules {
  from?: PriceRule;
  to?: PriceRule;
}

export async function listPriceDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db, accountId, now } = sides;
  const [from, to] = [
    await readListInForce(db, { accountId, environment: sides.from }, now),
    await readListInForce(db, { accountId, environment: sides.to }, now),
  ];
  const planned = to.isPlanned ? ("PRICES_PLANNED" as const) : undefined;
  const rules = pairRules(from.list.rules, to.list.rules).flatMap((both) => {
    const rule = pair(both.from, both.to);
    if (!rule) return [];
    const name = both.from?.ruleId ?? both.to?.ruleId ?? "";
    const blocked = planned ?? whyNotRule(both, to.list.rules, sides);
    return [toDifference("PRICE_RULE", name, { rule }, { blocked })];
  });
  const [ours, theirs] = [getSettings(from.list), getSettings(to.list)];
  const settings = LIST_SETTINGS.filter((name) => pair(ours[name], theirs[name])).map((setting) =>
    toDifference(
      "PRICE_SETTING",
      setting,
      { setting, settings: { from: ours, to: theirs } },
      { blocked: planned },
    ),
  );
  return [...rules, ...settings];
}

/** Pairs rules by id; a remaining rule is paired with a rule that it conflicts with. */
function pairRules(from: readonly PriceRule[], to: readonly PriceRule[]): PairOfRules[] {
  const left = new Map(to.map((rule) => [rule.ruleId, rule]));
  const named = from.map((rule): PairOfRules => {
    const same = left.get(rule.ruleId);
    left.delete(rule.ruleId);
    return { from: rule, ...(same && { to: same }) };
  });
  const pairs = named.map((both): PairOfRules => {
    if (both.to || !both.from) return both;
    const mine = both.from;
    const other = [...left.values()].find((rule) => findClashes([mine, rule]).length > 0);
    if (!other) return both;
    left.delete(other.ruleId);
    return { from: mine, to: other };
  });
  return [...pairs, ...[...left.values()].map((rule) => ({ to: rule }))];
}

function whyNotRule({ from, to }: PairOfRules, there: readonly PriceRule[], { offers }: Sides) {
  if (!from) return undefined;
  if (!isSold(from.target, offers.to)) return "NOT_IN_CATALOG";
  const others = there.filter(({ ruleId }) => ruleId !== to?.ruleId && ruleId !== from.ruleId);
  return others.some((rule) => findClashes([from, rule]).length > 0) ? "RULE_CLASHES" : undefined;
}

/** Returns the settings of a list, whose default floor is the cost. */
function getSettings({ rules: _rules, ...settings }: PriceList): PriceListSettings {
  return { ...settings, floor: settings.floor ?? { aboveCostPercent: "0" } };
}

export async function copyPrices(
  tx: Tx,
  { priceLists, author, now }: { priceLists: PriceListService; author: PriceAuthor; now: number },
  copied: readonly EnvironmentDifference[],
): Promise<void> {
  if (copied.length === 0) return;
  const { list } = await readListInForce(tx, author, now);
  const { version: base } = await findNewest(tx, author);
  await priceLists.saveIn(tx, author, { base, list: withCopied(list, copied) });
}

function withCopied(list: PriceList, copied: readonly EnvironmentDifference[]): PriceList {
  const rules = copied.flatMap(({ rule }) => (rule ? [rule] : []));
  const gone = new Set(rules.flatMap(({ from, to }) => [from?.ruleId, to?.ruleId]));
  const { rules: kept, ...settings } = list;
  const next = {
    ...settings,
    rules: [
      ...kept.filter(({ ruleId }) => !gone.has(ruleId)),
      ...rules.flatMap(({ from }) => (from ? [from] : [])),
    ],
  };
  return copied.reduce(withSetting, next);
}

function withSetting(list: PriceList, { setting, settings }: EnvironmentDifference): PriceList {
  const from = settings?.from;
  if (setting === undefined || !from) return list;
  if (setting === "rounding" && from.rounding === undefined) {
    const { rounding: _rounding, ...others } = list;
    return others;
  }
  return { ...list, [setting]: from[setting] };
}
