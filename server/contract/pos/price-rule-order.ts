import type { Offer } from "../v1/offers.ts";
import type { PriceChannel, PriceTarget, StoredPriceRule } from "./prices.ts";

/** As much of a rule as its place in the order depends on. */
type Placed = Pick<
  StoredPriceRule,
  "ruleId" | "enabled" | "target" | "class" | "channel" | "how" | "from" | "until"
>;

/** What a target may name, the closest first. */
const TARGET_FIELDS = ["offerId", "brand", "country", "subType", "family"] as const;

/** From when a rule holds, and when no more. */
export function periodOf({ from, until }: Pick<Placed, "from" | "until">) {
  return {
    from: from === undefined ? -Infinity : Date.parse(from),
    until: until === undefined ? Infinity : Date.parse(until),
  };
}

/** Whether a rule is for an offer, asked for there; its dates aside. */
export function isFor(
  rule: Pick<Placed, "target" | "channel" | "how">,
  offer: Offer,
  channel: PriceChannel,
): boolean {
  const { offerId, brand, country, subType, family } = rule.target;
  return (
    (rule.channel === "ANY" || rule.channel === channel) &&
    (offer.priceType === "FIXED" || rule.how === "MARKUP" || rule.how === "MARGIN") &&
    (offerId === undefined || offerId === offer.offerId) &&
    (brand === undefined || brand === offer.brand) &&
    (country === undefined || country === offer.country) &&
    (subType === undefined || offer.subTypes.some((of) => of === subType)) &&
    (family === undefined || family === offer.productType)
  );
}

/**
 * The order in which the first rule that fits wins (rules#price-one-rule): promotions, the closest
 * target, a named channel, the later start. Subtypes are last: an offer may have several of them.
 */
export function byPrecedence(a: Placed, b: Placed): number {
  const starts = [periodOf(a).from, periodOf(b).from] as const;
  return (
    Number(b.class === "PROMOTION") - Number(a.class === "PROMOTION") ||
    closenessOf(b.target) - closenessOf(a.target) ||
    Number(b.channel !== "ANY") - Number(a.channel !== "ANY") ||
    (starts[0] === starts[1] ? 0 : starts[1] - starts[0]) ||
    compareTexts(a.target.subType ?? "", b.target.subType ?? "") ||
    compareTexts(a.ruleId, b.ruleId)
  );
}

/** Greater for a target that names what is closer to an offer. */
function closenessOf(target: PriceTarget): number {
  return TARGET_FIELDS.reduce((sum, name) => sum * 2 + Number(target[name] !== undefined), 0);
}

/**
 * Rules of which nothing says which one wins: of one class, target and channel, at one time.
 * @returns the positions of each two
 */
export function findClashes(rules: readonly Placed[]): [number, number][] {
  const clashes: [number, number][] = [];
  const alike = Map.groupBy([...rules.entries()], ([, rule]) => placeOf(rule));
  for (const group of alike.values()) {
    for (const [at, [first, one]] of group.entries()) {
      for (const [second, other] of group.slice(at + 1)) {
        if (one.enabled && other.enabled && overlap(one, other)) clashes.push([first, second]);
      }
    }
  }
  return clashes;
}

function placeOf(rule: Placed): string {
  return JSON.stringify([
    rule.class,
    rule.channel,
    ...TARGET_FIELDS.map((name) => rule.target[name] ?? null),
  ]);
}

function overlap(one: Placed, other: Placed): boolean {
  const [a, b] = [periodOf(one), periodOf(other)];
  return a.from < b.until && b.from < a.until;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
