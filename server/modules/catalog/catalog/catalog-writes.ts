import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { findNextGeneration } from "./catalog-generations.ts";
import {
  type CatalogChange,
  chunks,
  putBrands,
  putOffers,
  putPromos,
  removeBrands,
  removeOffers,
  removePromos,
} from "./catalog-rows.ts";
import { type CatalogState, findCatalogState } from "./catalog-store.ts";

/** Rows of one statement. */
const ROWS_AT_ONCE = 500;

export interface CatalogWrite {
  /** The version that the change was worked out from; undefined when there was no catalog. */
  base: number | undefined;
  change: CatalogChange;
  source: string;
  at: number;
}

/**
 * Writes a change as the next version into the generation in force, in the one transaction at hand: for
 * few rows, or where nobody waits. Brands come before what refers to them, and go after it.
 * @returns the new version; undefined, with nothing written, when another than `base` is in force.
 */
export async function writeCatalogChange(
  tx: Tx,
  scope: Scope,
  { base, change, source, at }: CatalogWrite,
): Promise<number | undefined> {
  const before = await findCatalogState(tx, scope);
  if (before?.version !== base) return undefined;
  const { accountId, environment } = scope;
  const generation = before?.generation ?? (await findNextGeneration(tx, scope));
  const version = (base ?? 0) + 1;
  await putInForce(tx, scope, { version, generation, source, at });
  const edition = { accountId, environment, generation };
  const { brands, offers, promos } = change;
  for (const rows of chunks(brands.put, ROWS_AT_ONCE)) await putBrands(tx, edition, rows);
  for (const ids of chunks(offers.remove, ROWS_AT_ONCE)) await removeOffers(tx, edition, ids);
  for (const rows of chunks(offers.put, ROWS_AT_ONCE)) await putOffers(tx, edition, rows);
  for (const ids of chunks(promos.remove, ROWS_AT_ONCE)) await removePromos(tx, edition, ids);
  for (const rows of chunks(promos.put, ROWS_AT_ONCE)) await putPromos(tx, edition, rows);
  for (const ids of chunks(brands.remove, ROWS_AT_ONCE)) await removeBrands(tx, edition, ids);
  return version;
}

/** From the commit on, this generation is the catalog, as this version. */
export async function putInForce(
  tx: Tx,
  scope: Scope,
  {
    version,
    generation,
    source,
    at,
  }: Omit<CatalogState, "choices" | "updated_at"> & { at: number },
): Promise<void> {
  const { accountId, environment } = scope;
  const state = { version, generation, source, updated_at: at };
  await tx
    .insertInto("catalogs")
    .values({ account_id: accountId, environment, ...state })
    .onConflict((clash) => clash.columns(["account_id", "environment"]).doUpdateSet(state))
    .execute();
  await recordChange(tx, scope, { topic: "catalog", subject: source, at });
}
