import { LIST_SETTINGS, type ListSetting } from "../../../server/contract/pos/environment-copy.ts";
import type { PriceList, PriceRule, StoredPriceList } from "../../../server/contract/pos/prices.ts";

export interface ListDraft {
  readonly base: { readonly version: number; readonly list: PriceList };
  readonly list: PriceList;
}

/** Returns a stored list in the format of a save request. */
export function editable({ rules, ...settings }: StoredPriceList): PriceList {
  return { ...settings, rules: rules.map(({ since: _since, ...rule }) => rule) };
}

export interface ListChanges {
  readonly added: readonly PriceRule[];
  readonly removed: readonly PriceRule[];
  readonly changed: readonly { readonly before: PriceRule; readonly after: PriceRule }[];
  readonly settings: readonly ListSetting[];
}

export function changesBetween(before: PriceList, after: PriceList): ListChanges {
  const old = byId(before);
  const now = byId(after);
  return {
    added: after.rules.filter(({ ruleId }) => !old.has(ruleId)),
    removed: before.rules.filter(({ ruleId }) => !now.has(ruleId)),
    changed: after.rules.flatMap((rule) => {
      const was = old.get(rule.ruleId);
      return was && !isSame(was, rule) ? [{ before: was, after: rule }] : [];
    }),
    settings: LIST_SETTINGS.filter((name) => !isSame(before[name], after[name])),
  };
}

export function countOf({ added, removed, changed, settings }: ListChanges): number {
  return added.length + removed.length + changed.length + settings.length;
}

/** Applies the draft's changes to another version, which supplies all other values. */
export function rebased({ base, list }: ListDraft, onto: ListDraft["base"]): ListDraft {
  const { added, removed, changed, settings } = changesBetween(base.list, list);
  const gone = new Set(removed.map(({ ruleId }) => ruleId));
  const mine = new Map(
    [...added, ...changed.map(({ after }) => after)].map((rule) => [rule.ruleId, rule]),
  );
  const kept = onto.list.rules
    .filter(({ ruleId }) => !gone.has(ruleId))
    .map((rule) => mine.get(rule.ruleId) ?? rule);
  const known = new Set(kept.map(({ ruleId }) => ruleId));
  const rules = [...kept, ...[...mine.values()].filter(({ ruleId }) => !known.has(ruleId))];
  const own = Object.fromEntries(settings.map((name) => [name, list[name]]));
  return { base: onto, list: { ...onto.list, ...own, rules } };
}

/** Replaces the rule with the same id, or appends the rule. */
export function withRule(list: PriceList, rule: PriceRule): PriceList {
  const isKnown = list.rules.some(({ ruleId }) => ruleId === rule.ruleId);
  const rules = isKnown
    ? list.rules.map((one) => (one.ruleId === rule.ruleId ? rule : one))
    : [...list.rules, rule];
  return { ...list, rules };
}

export function withoutRule(list: PriceList, ruleId: string): PriceList {
  return { ...list, rules: list.rules.filter((rule) => rule.ruleId !== ruleId) };
}

function byId({ rules }: PriceList): ReadonlyMap<string, PriceRule> {
  return new Map(rules.map((rule) => [rule.ruleId, rule]));
}

/** Ignores the order of fields. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ""
  );
}
