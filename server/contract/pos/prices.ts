import { type Static, Type } from "typebox";
import { Input, PLAIN_TEXT, Timestamp } from "../common.ts";
import type { Offer } from "../v1/offers.ts";
import { Family, perFamily } from "./families.ts";
import { TaxKind } from "./taxes.ts";

const Percent = Type.String({
  pattern: "^-?[0-9]{1,4}(\\.[0-9]{1,6})?$",
  description: "a percentage such as 8 or 2.5",
  examples: ["8"],
});

/** Maximum amount in a rule, so that sums of prices stay safe integers. */
const LARGEST = 1_000_000_000;

const Amount = Type.Integer({
  minimum: 0,
  maximum: LARGEST,
  description: "a whole number of the shop's currency's smallest unit",
});

const Code = Type.String({ minLength: 1, maxLength: 128, ...PLAIN_TEXT });

/** A band of the price grid: prices under `below` have the form `step × k + offset`. */
const PriceBand = Input({
  below: Type.Optional(Amount),
  step: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "a whole number from 1 up" }),
  offset: Type.Integer({ minimum: 0, maximum: 999_999, description: "less than the step" }),
});
export type PriceBand = Static<typeof PriceBand>;

const PriceRounding = Input({
  direction: Type.Enum(["UP", "DOWN", "NEAREST"]),
  bands: Type.Array(PriceBand, { minItems: 1, maxItems: 10 }),
});
export type PriceRounding = Static<typeof PriceRounding>;

/** Target of a rule: offers that match every stated field. An empty target matches every offer. */
const PriceTarget = Input({
  offerId: Type.Optional(Code),
  brand: Type.Optional(Code),
  country: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$" })),
  subType: Type.Optional(Code),
  family: Type.Optional(Family),
});
export type PriceTarget = Static<typeof PriceTarget>;

/** Permission of an owner to sell at a loss, in the shop's currency. */
const BelowCost = Input({
  reason: Type.String({ minLength: 1, maxLength: 200, ...PLAIN_TEXT }),
  until: Timestamp,
  maxLossPerSale: Amount,
  budget: Amount,
});
export type BelowCost = Static<typeof BelowCost>;

const RuleId = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,40}$",
  description: "1 to 40 letters, digits, - or _",
});

/** Sales channels; a rule can apply to one of them only. */
const PRICE_CHANNELS = ["TILL", "API"] as const;
export const PriceChannel = Type.Enum(PRICE_CHANNELS);
export type PriceChannel = Static<typeof PriceChannel>;

const ruleFields = {
  ruleId: RuleId,
  enabled: Type.Boolean(),
  target: PriceTarget,
  class: Type.Enum(["STANDARD", "PROMOTION"]),
  channel: Type.Enum(["ANY", ...PRICE_CHANNELS]),
  basis: Type.Enum(["COST", "SUGGESTED"]),
  how: Type.Enum(["MARKUP", "MARGIN", "ADD", "SET"]),
  percent: Type.Optional(Percent),
  amount: Type.Optional(
    Type.Integer({
      minimum: -LARGEST,
      maximum: LARGEST,
      description: "a whole number of the shop's currency's smallest unit",
    }),
  ),
  minProfit: Type.Optional(Amount),
  maxProfit: Type.Optional(Amount),
  rounding: Type.Optional(PriceRounding),
  belowCost: Type.Optional(BelowCost),
  from: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  note: Type.Optional(Type.String({ maxLength: 200, ...PLAIN_TEXT })),
};

/**
 * A pricing rule (rules#price-one-rule). MARKUP adds a percentage of the basis. MARGIN sets the
 * margin as a percentage of the price without tax. ADD adds an amount. SET sets the price. ADD and
 * SET are for FIXED offers only. A rule applies from `from` until just before `until`.
 */
export const PriceRule = Input(ruleFields);
export type PriceRule = Static<typeof PriceRule>;

export const StoredPriceRule = Input({
  ...ruleFields,
  since: Type.Integer({ description: "The version of the list that has it as it is now" }),
});
export type StoredPriceRule = Static<typeof StoredPriceRule>;

const PriceTax = Input({
  kind: TaxKind,
  percent: Percent,
});
export type PriceTax = Static<typeof PriceTax>;

/** Prices of offers without a rule. Older lists lack this field, and use suggested prices. */
const PriceDefaults = Input({
  faceValue: Type.Boolean({
    description: "Domestic top-ups cost their face value, if it covers the floor",
  }),
  cashEndings: Type.Boolean({
    description:
      "Other prices are rounded up to the list's rounding, or to amounts that customers can pay in cash",
  }),
});

const listSettings = {
  defaults: Type.Optional(PriceDefaults),
  rounding: Type.Optional(PriceRounding),
  /** Every price is at least the cost plus this percentage. */
  floor: Type.Optional(Input({ aboveCostPercent: Percent })),
  taxes: Input(perFamily(PriceTax)),
  /** Percentage added to the exchange rate, to cover rate changes until the next recharge. */
  fxBufferPercent: Percent,
  /** Difference between exchange rate and reference rate, in percent, that raises an alert. */
  driftAlertPercent: Percent,
};

export const PriceListSettings = Type.Object(listSettings);
export type PriceListSettings = Static<typeof PriceListSettings>;

const MOST_RULES = 1_000;

/** Price list of an environment, as an owner saves it. Without a `floor`, the floor is the cost. */
export const PriceList = Input({
  rules: Type.Array(PriceRule, { maxItems: MOST_RULES }),
  ...listSettings,
});
export type PriceList = Static<typeof PriceList>;

/** A stored list. Only the initial list has no `floor`; its prices have no minimum. */
export const StoredPriceList = Input({
  rules: Type.Array(StoredPriceRule, { maxItems: MOST_RULES }),
  ...listSettings,
});
export type StoredPriceList = Static<typeof StoredPriceList>;

type Placed = Pick<
  StoredPriceRule,
  "ruleId" | "enabled" | "target" | "class" | "channel" | "how" | "from" | "until"
>;

/** Target fields, the most specific first. */
const TARGET_FIELDS = ["offerId", "brand", "country", "subType", "family"] as const;

export function periodOf({ from, until }: Pick<Placed, "from" | "until">) {
  return {
    from: from === undefined ? -Infinity : Date.parse(from),
    until: until === undefined ? Infinity : Date.parse(until),
  };
}

/**
 * Returns whether a rule targets an offer in a channel, regardless of its dates.
 * @param priced.offerIds ids that name the offer
 */
export function isFor(
  rule: Pick<Placed, "target" | "channel" | "how">,
  {
    offer,
    offerIds,
    channel,
  }: { offer: Offer; offerIds: readonly string[]; channel: PriceChannel },
): boolean {
  const { offerId, brand, country, subType, family } = rule.target;
  return (
    (rule.channel === "ANY" || rule.channel === channel) &&
    (offer.priceType === "FIXED" || rule.how === "MARKUP" || rule.how === "MARGIN") &&
    (offerId === undefined || offerIds.includes(offerId)) &&
    (brand === undefined || brand === offer.brand) &&
    (country === undefined || country === offer.country) &&
    (subType === undefined || offer.subTypes.some((of) => of === subType)) &&
    (family === undefined || family === offer.productType)
  );
}

/**
 * Compares rules by precedence; the first matching rule applies (rules#price-one-rule). Promotions
 * come first, then the most specific target, a named channel, and the later start. Subtypes are the
 * last criterion, because an offer may have several.
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

function closenessOf(target: PriceTarget): number {
  return TARGET_FIELDS.reduce((sum, name) => sum * 2 + Number(target[name] !== undefined), 0);
}

/**
 * Finds rules with the same class, target and channel, and with overlapping times.
 * @returns positions of each pair
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
