import { type Static, Type } from "typebox";
import { SwitchTarget } from "../../../contract/pos/office-catalog.ts";
import type { Offer, ProductFamily } from "../../../contract/v1/offers.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { FIRST_PROVIDER, listProductIds } from "../../../providers/supply.ts";
import { listBrandProviders } from "./catalog-store.ts";
import { type ProviderRouting, readRouting } from "./provider-routing.ts";

export interface OfferSwitch {
  sequence: number;
  target: SwitchTarget;
  enabled: boolean;
}

/** Choices survive imports, so they may name offers that no longer exist. */
export interface CatalogChoices {
  switches: OfferSwitches;
  pins: ReadonlyMap<ProductFamily, readonly string[]>;
  /**
   * Providers whose offers are not sold: paused, disconnected beside another provider, or another
   * company without a catalog.
   */
  offProviders: ReadonlySet<string>;
  /** Providers that refused the key or lacked money, until a higher balance is read. */
  troubledProviders: ReadonlySet<string>;
  /** Brands that are paused at a provider, as `provider/brand`. */
  pausedPairs: ReadonlySet<string>;
  routing: ProviderRouting;
}

export function fitsTarget(offer: Offer, target: SwitchTarget): boolean {
  const { offerId, family, brand, country, subType } = target;
  return (
    (offerId === undefined || listProductIds(offer).includes(offerId)) &&
    (family === undefined || offer.productType === family) &&
    (brand === undefined || offer.brand === brand) &&
    (country === undefined || offer.country === country) &&
    (subType === undefined || (offer.subTypes as string[]).includes(subType))
  );
}

/** The last switch that matches an offer decides (rules#catalog-switches). */
export class OfferSwitches {
  readonly #ofOffers = new Map<string, OfferSwitch[]>();
  /** Switches of brands, countries and families, newest first. */
  readonly #ofMany: OfferSwitch[] = [];

  constructor(switches: readonly OfferSwitch[]) {
    for (const one of switches.toSorted((a, b) => b.sequence - a.sequence)) {
      const { offerId } = one.target;
      if (offerId === undefined) this.#ofMany.push(one);
      else this.#ofOffers.set(offerId, [...(this.#ofOffers.get(offerId) ?? []), one]);
    }
  }

  isOff(offer: Offer): boolean {
    const fits = ({ target }: OfferSwitch) => fitsTarget(offer, target);
    const alone = listProductIds(offer)
      .flatMap((offerId) => this.#ofOffers.get(offerId)?.find(fits) ?? [])
      .toSorted((a, b) => b.sequence - a.sequence)[0];
    const among = this.#ofMany.find(fits);
    const last = (alone?.sequence ?? 0) > (among?.sequence ?? 0) ? alone : among;
    return last?.enabled === false;
  }
}

export async function readChoices(db: Db | Tx, scope: Scope): Promise<CatalogChoices> {
  const pins = await readPins(db, scope);
  const switches = new OfferSwitches(await listInForce(db, scope));
  const providers = await readProviderStates(db, scope);
  return { switches, pins, ...providers, routing: await readRouting(db, scope) };
}

async function readProviderStates(
  db: Db | Tx,
  scope: Scope,
): Promise<Pick<CatalogChoices, "offProviders" | "troubledProviders" | "pausedPairs">> {
  const rows = await db
    .selectFrom("upstreams")
    .select(["provider_id", "key_sealed", "paused_at", "replaced_at"])
    .select(["fault_kind", "fault_at", "balance_at"])
    .where(inScope(scope))
    .execute();
  // The offers of a disconnected only provider stay: their sale fails with a reason.
  const off = rows.filter(
    ({ key_sealed, paused_at, replaced_at }) =>
      paused_at !== null || replaced_at !== null || (key_sealed === null && rows.length > 1),
  );
  const troubled = rows.filter(({ fault_kind: kind, fault_at: at, balance_at }) =>
    isTroubled(kind === null || at === null ? undefined : { kind, at }, balance_at ?? undefined),
  );
  return {
    offProviders: new Set(off.map((row) => row.provider_id)),
    troubledProviders: new Set(troubled.map((row) => row.provider_id)),
    pausedPairs: new Set(rows.length > 1 ? await readPausedPairs(db, scope) : []),
  };
}

async function readPausedPairs(db: Db | Tx, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom("brand_states")
    .select(["provider_id", "brand"])
    .where(inScope(scope))
    .where("paused_since", "is not", null)
    .execute();
  return rows.map(({ provider_id, brand }) => `${provider_id}/${brand}`);
}

/** Returns the providers that sell a brand: not those that are paused or disconnected. */
export async function listSellers(
  db: Db | Tx,
  scope: Scope,
  ...brands: string[]
): Promise<string[]> {
  const { offProviders } = await readProviderStates(db, scope);
  const all = await listBrandProviders(db, scope, brands);
  return all.filter((providerId) => !offProviders.has(providerId));
}

/** Returns the providers that sell a brand or a brand joined to it. */
export async function listJoinedSellers(
  db: Db | Tx,
  scope: Scope,
  brand: string,
): Promise<string[]> {
  const { joined } = await readRouting(db, scope);
  const soldAs = joined[brand] ?? brand;
  const others = Object.keys(joined).filter((one) => joined[one] === soldAs);
  return listSellers(db, scope, soldAs, ...others);
}

/** Sells the offers of a replaced provider again, because its first catalog is in force. */
export async function endReplacement(
  tx: Tx,
  { accountId, environment }: Scope,
  { providerId, at }: { providerId: string; at: number },
): Promise<void> {
  const scope = { accountId, environment };
  const replaced = await tx
    .updateTable("upstreams")
    .set({ replaced_at: null })
    .where(inScope(scope))
    .where("provider_id", "=", providerId)
    .where("replaced_at", "is not", null)
    .returning("provider_id")
    .executeTakeFirst();
  if (replaced) await noteChoice(tx, scope, { subject: "upstream", at });
}

/** Like `noteChoice`, for a shop with several providers. */
export async function noteProviderState(
  tx: Tx,
  { accountId, environment }: Scope,
  at: number,
): Promise<void> {
  const later = await tx
    .selectFrom("upstreams")
    .select("provider_id")
    .where(inScope({ accountId, environment }))
    .where("provider_id", "<>", FIRST_PROVIDER)
    .executeTakeFirst();
  if (later) await noteChoice(tx, { accountId, environment }, { subject: "upstream", at });
}

/** Returns whether sales through a provider fail until its owner acts or its balance is read. */
export function isTroubled(
  fault: { kind: string; at: number } | undefined,
  balanceAt: number | undefined,
): boolean {
  if (!fault || fault.kind === "COST_DIFFERS") return false;
  return fault.at >= (balanceAt ?? 0);
}

/** Notes a choice of the owner, or a provider's new state, so that every process prices the catalog again. */
export async function noteChoice(
  tx: Tx,
  { accountId, environment }: Scope,
  { subject, at }: { subject: string; at: number },
): Promise<void> {
  const scope = { accountId, environment };
  await tx
    .updateTable("catalogs")
    .set((eb) => ({ choices: eb("choices", "+", 1) }))
    .where(inScope(scope))
    .execute();
  await recordChange(tx, scope, { topic: "catalog", subject, at });
}

/** Ids of the pinned offers of each family, in their order. */
const PINNED_OFFERS = environmentSetting(
  "pinned_offers",
  Type.Record(Type.String(), Type.Array(Type.String())),
);

export async function readPins(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<Map<ProductFamily, string[]>> {
  const pins = (await readSetting(db, { accountId, environment }, PINNED_OFFERS)) ?? {};
  return new Map(Object.entries(pins) as [ProductFamily, string[]][]);
}

export async function writePins(
  tx: Tx,
  { accountId, environment }: Scope,
  pins: ReadonlyMap<ProductFamily, readonly string[]>,
): Promise<void> {
  const stored = Object.fromEntries([...pins].map(([family, ids]) => [family, [...ids]]));
  await writeSetting(tx, { accountId, environment }, PINNED_OFFERS, stored);
}

/** Lists switches that were not undone. */
export async function listInForce(db: Db | Tx, scope: Scope): Promise<OfferSwitch[]> {
  const rows = await db
    .selectFrom("offer_switches")
    .select(["sequence", "target_json", "enabled"])
    .where(inScope(scope))
    .where("undone_at", "is", null)
    .execute();
  return rows.map(({ sequence, target_json, enabled }) => ({
    sequence,
    target: readTarget(target_json, sequence),
    enabled: enabled === 1,
  }));
}

const STORED_TARGET = Type.Object(SwitchTarget.properties);

/** @throws JsonMisfit */
export function readTarget(text: string, sequence: number): Static<typeof STORED_TARGET> {
  const where = { table: "offer_switches", column: "target_json", row: String(sequence) } as const;
  return readColumn(STORED_TARGET, text, where);
}
