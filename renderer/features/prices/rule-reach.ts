import { byPrecedence, type PriceRule, periodOf } from "../../../server/contract/pos/prices.ts";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";

export interface RuleReach {
  readonly count: number;
  readonly example: string | undefined;
}

export const NO_RULE = "";

/**
 * Counts the products that each rule prices now. A rule with a fixed amount does not apply to
 * any-amount products. The index does not mark these, so the count of such a rule is an upper
 * bound.
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function countReach(
  rules: readonly PriceRule[],
  { groups }: PosSearchIndex,
  now: number,
): ReadonlyMap<string, RuleReach> {
  const inForce = rules.filter(isInForce).toSorted(byPrecedence);
  const reach = new Map<string, RuleReach>();
  for (const group of groups) {
    const possible = inForce.filter(
      ({ target: { brand, country, subType, family } }) =>
        (brand === undefined || brand === group.brand) &&
        (country === undefined || country === group.country) &&
        (family === undefined || family === group.productType) &&
        (subType === undefined || group.subTypes?.includes(subType)),
    );
    for (const [offerId] of group.offers) {
      const rule = possible.find(
        ({ target }) => target.offerId === undefined || target.offerId === offerId,
      );
      const key = rule?.ruleId ?? NO_RULE;
      const { count = 0, example = offerId } = reach.get(key) ?? {};
      reach.set(key, { count: count + 1, example });
    }
  }
  return reach;

  function isInForce(rule: PriceRule): boolean {
    const { from, until } = periodOf(rule);
    return rule.enabled && rule.channel !== "API" && from <= now && now < until;
  }
}
