import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { CatalogDifference } from "../../contract/pos/waiting-catalog.ts";
import { recordChange, type Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { readColumn } from "../../db/stored-json.ts";
import { pause } from "../../lib/clock.ts";
import { emptyContent, type Section } from "../catalog/index.ts";
import type { UpstreamCatalog } from "./catalog-reading.ts";

/** How many items are written or read before other work gets a turn. */
const AT_A_TIME = 200;

const compress = promisify<Uint8Array, Buffer>(gzip);
const expand = promisify<Uint8Array, Buffer>(gunzip);

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
  return row && unpack(row.content);
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

/** A line for each item, so that no step of it takes long. */
export async function pack(catalog: UpstreamCatalog): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for (const [section, items] of Object.entries(catalog)) {
    for (const [index, item] of items.entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await pause();
      parts.push(Buffer.from(`${section} ${JSON.stringify(item)}\n`));
    }
  }
  return compress(Buffer.concat(parts));
}

async function unpack(content: Uint8Array): Promise<UpstreamCatalog> {
  const catalog: UpstreamCatalog = emptyContent();
  const bytes = await expand(content);
  let from = 0;
  for (let count = 1; from < bytes.length; count++) {
    if (count % AT_A_TIME === 0) await pause();
    const end = bytes.indexOf("\n", from);
    const line = bytes.toString("utf8", from, end);
    const space = line.indexOf(" ");
    const section = line.slice(0, space);
    if (isSection(catalog, section)) catalog[section].push(JSON.parse(line.slice(space + 1)));
    from = end + 1;
  }
  return catalog;
}

function isSection(catalog: UpstreamCatalog, name: string): name is Section {
  return name in catalog;
}
