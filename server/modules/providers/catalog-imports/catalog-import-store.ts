import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { CatalogDifference } from "../../../contract/pos/upstream.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { recordCatalogUpdate } from "../../catalog/catalog/index.ts";

export interface StoredImport {
  importId: string;
  name: string;
  bytes: number;
  checkedAt: number;
  baseVersion: number;
  difference: CatalogDifference;
}

export async function findImport(db: Db | Tx, scope: Scope): Promise<StoredImport | undefined> {
  const row = await db
    .selectFrom("catalog_imports")
    .select(["import_id", "name", "bytes", "checked_at", "base_version", "difference_json"])
    .where(inScope(scope))
    .executeTakeFirst();
  if (!row) return undefined;
  const where = {
    table: "catalog_imports",
    column: "difference_json",
    row: row.import_id,
  } as const;
  return {
    importId: row.import_id,
    name: row.name,
    bytes: row.bytes,
    checkedAt: row.checked_at,
    baseVersion: row.base_version,
    difference: readColumn(CatalogDifference, row.difference_json, where),
  };
}

export async function hasImport(db: Db | Tx, scope: Scope, importId: string): Promise<boolean> {
  const row = await db
    .selectFrom("catalog_imports")
    .select("import_id")
    .where(inScope(scope))
    .executeTakeFirst();
  return row?.import_id === importId;
}

/** Returns the packed sections; undefined if the file no longer waits for the owner. */
export async function readImportContent(
  db: Db,
  scope: Scope,
  importId: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("catalog_imports")
    .select("content")
    .where(inScope(scope))
    .where("import_id", "=", importId)
    .executeTakeFirst();
  return row?.content;
}

export async function saveImport(
  tx: Tx,
  scope: Scope,
  { importId, name, bytes, checkedAt, baseVersion, difference }: StoredImport,
  content: Uint8Array,
): Promise<void> {
  await removeImport(tx, scope);
  await tx
    .insertInto("catalog_imports")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      import_id: importId,
      name,
      bytes,
      checked_at: checkedAt,
      base_version: baseVersion,
      difference_json: JSON.stringify(difference),
      content,
    })
    .execute();
}

export async function removeImport(tx: Tx, scope: Scope, importId?: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("catalog_imports")
    .where(inScope(scope))
    .$if(importId !== undefined, (query) => query.where("import_id", "=", importId ?? ""))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function noteFailure(
  tx: Tx,
  { accountId, environment, staffId }: ScopedAuthor,
  { source, failure, at }: { source: string; failure: string; at: number },
): Promise<void> {
  const note = { action: "catalog.import", source, staffId, at, outcome: { failure } } as const;
  await recordCatalogUpdate(tx, { accountId, environment }, note);
}
