import { CatalogDifference } from "../../contract/pos/waiting-catalog.ts";
import { recordChange, type Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { readColumn } from "../../db/stored-json.ts";
import { unpackCatalog } from "../catalog/index.ts";
import type { UpstreamCatalog } from "./catalog-reading.ts";

/** A catalog that was fetched, and what it changes. */
export interface StoredWaitingCatalog {
  keySealed: string;
  fetchedAt: number;
  difference: CatalogDifference;
}

export async function findWaitingCatalog(
  db: Db | Tx,
  scope: Scope,
): Promise<StoredWaitingCatalog | undefined> {
  const row = await db
    .selectFrom("waiting_catalogs")
    .select(["key_sealed", "fetched_at", "difference_json"])
    .where(inScope(scope))
    .executeTakeFirst();
  if (!row) return undefined;
  const where = { table: "waiting_catalogs", column: "difference_json" } as const;
  const difference = readColumn(CatalogDifference, row.difference_json, {
    ...where,
    row: scope.environment,
  });
  return { keySealed: row.key_sealed, fetchedAt: row.fetched_at, difference };
}

/** The catalog itself; undefined where another one waits by now. */
export async function readWaitingContent(
  db: Db,
  scope: Scope,
  fetchedAt: number,
): Promise<UpstreamCatalog | undefined> {
  const row = await db
    .selectFrom("waiting_catalogs")
    .select("content")
    .where(inScope(scope))
    .where("fetched_at", "=", fetchedAt)
    .executeTakeFirst();
  return row && (await unpackCatalog(row.content));
}

export async function saveWaitingCatalog(
  tx: Tx,
  scope: Scope,
  { content, keySealed, fetchedAt, difference }: StoredWaitingCatalog & { content: Uint8Array },
): Promise<void> {
  const fresh = {
    key_sealed: keySealed,
    fetched_at: fetchedAt,
    difference_json: JSON.stringify(difference),
    content,
  };
  await tx
    .insertInto("waiting_catalogs")
    .values({ account_id: scope.accountId, environment: scope.environment, ...fresh })
    .onConflict((conflict) => conflict.columns(["account_id", "environment"]).doUpdateSet(fresh))
    .execute();
  await recordChange(tx, scope, { topic: "provider", subject: "upstream", at: fetchedAt });
}

export async function removeWaitingCatalog(tx: Tx, scope: Scope): Promise<void> {
  await tx.deleteFrom("waiting_catalogs").where(inScope(scope)).execute();
}
