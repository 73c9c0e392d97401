import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import {
  COST_CHANGES_SHOWN,
  type CostChange,
  type CatalogDifference as DifferenceFacts,
  OFFERS_NAMED,
} from "../../../contract/pos/upstream.ts";
import type { CatalogInput } from "./catalog-check.ts";
import type { CatalogDifference } from "./catalog-update.ts";

const NO_CHANGE = { added: 0, changed: 0, removed: 0 };
const SECTIONS_OF_OFFERS = FAMILIES.map((family) => FAMILY_FACTS[family].path);

const OfferFacts = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  country: Type.String(),
  productType: Type.Enum([...FAMILIES]),
  enabled: Type.Boolean(),
  cost: Type.Object({
    currency: Type.String(),
    currencyDivisor: Type.Integer(),
    fixed: Type.Optional(Type.Number()),
    fx: Type.Optional(Type.Number()),
    fee: Type.Number(),
    feePct: Type.Number(),
  }),
});
type OfferFacts = Static<typeof OfferFacts>;
const isOfferFacts = lazyCheck(OfferFacts);

/**
 * Describes the changes that a new catalog makes. A missing section counts as unchanged.
 * @param country the shop's country; empty if unknown
 */
export function describeDifference(
  compared: CatalogDifference,
  catalog: CatalogInput,
  { country }: { country: string },
): Omit<DifferenceFacts, "leftOut" | "leftOutCount"> {
  const { version, sections, items } = compared;
  const sums = SECTIONS_OF_OFFERS.map((section) => sections[section] ?? NO_CHANGE);
  const total = (name: keyof typeof NO_CHANGE) => sums.reduce((sum, one) => sum + one[name], 0);
  const pairs = items.map(({ before, after }) => [factsIn(before), factsIn(after)] as const);
  const costs = pairs.flatMap(([before, after]) =>
    before && after ? (changeBetween(before, after) ?? []) : [],
  );
  const cheaper = costs.filter(({ percent }) => percent < 0).length;
  const dearer = costs.length - cheaper;
  const offers = SECTIONS_OF_OFFERS.flatMap((section) => catalog[section] ?? []);
  const ofCountry = offers.filter(
    (offer) => isOfferFacts(offer) && offer.enabled && offer.country === country,
  );
  return {
    isFirst: version === 0,
    offers: {
      total: offers.length,
      added: total("added"),
      removed: total("removed"),
      cheaper,
      dearer,
      changed: total("changed") - costs.length,
    },
    added: pickFirst(pairs.flatMap(([before, after]) => (after && !before ? [after] : []))),
    removed: pickFirst(pairs.flatMap(([before, after]) => (before && !after ? [before] : []))),
    costChanges: costs
      .sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
      .slice(0, COST_CHANGES_SHOWN),
    brands: sections.brands ?? NO_CHANGE,
    promos: sections.promos ?? NO_CHANGE,
    ...(country !== "" && { forCountry: { country, offers: ofCountry.length } }),
  };
}

export function changesNothing({
  offers,
  brands,
  promos,
}: Pick<DifferenceFacts, "offers" | "brands" | "promos">): boolean {
  const { added, removed, cheaper, dearer, changed } = offers;
  const counts = [brands, promos].map((one) => one.added + one.changed + one.removed);
  return added + removed + cheaper + dearer + changed + counts.reduce((a, b) => a + b, 0) === 0;
}

function factsIn(text: string | undefined): OfferFacts | undefined {
  if (text === undefined) return undefined;
  try {
    const stated: unknown = JSON.parse(text);
    return isOfferFacts(stated) ? stated : undefined;
  } catch {
    return undefined;
  }
}

function pickFirst(offers: readonly OfferFacts[]) {
  return [...offers]
    .sort((a, b) => a.offerId.localeCompare(b.offerId))
    .slice(0, OFFERS_NAMED)
    .map(nameOffer);
}

function nameOffer({ offerId, brandName, country, productType }: OfferFacts) {
  return { offerId, brandName, country, productType };
}

function changeBetween(before: OfferFacts, after: OfferFacts): CostChange | undefined {
  const percent = percentBetween(costLevel(before), costLevel(after));
  if (percent === 0) return undefined;
  const { currency, currencyDivisor } = after.cost;
  const fixed = { before: before.cost.fixed ?? 0, after: after.cost.fixed ?? 0 };
  const isFixed = before.cost.fixed !== undefined && after.cost.fixed !== undefined;
  return {
    ...nameOffer(after),
    percent,
    ...(isFixed && { fixed: { ...fixed, currency, currencyDivisor } }),
  };
}

/** Returns the change of a fixed amount or a rate, in percent of the old value. */
function percentBetween(was: number, is: number): number {
  if (was === is) return 0;
  if (was === 0) return 100;
  const percent = Math.round(((is - was) / was) * 10_000) / 100;
  // A change that rounds to zero still counts as a change.
  return percent === 0 ? Math.sign(is - was) * 0.01 : percent;
}

function costLevel({ cost }: OfferFacts): number {
  const base = cost.fixed ?? cost.fx ?? 0;
  return base * (1 + cost.feePct / 100) + cost.fee;
}

/** Compiles the schema at the first use, to keep startup fast. */
function lazyCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => value is Static<Schema> {
  let check: { Check(value: unknown): boolean } | undefined;
  return (value): value is Static<Schema> => {
    check ??= Compile(schema);
    return check.Check(value);
  };
}
