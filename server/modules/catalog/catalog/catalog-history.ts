import type { CatalogUpdates } from "../../../contract/pos/office-catalog.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { toTimestamp } from "../../../lib/clock.ts";

const UPDATES_KEPT = 200;
const UPDATES_SHOWN = 100;

export interface CatalogUpdateNote {
  action: "catalog.import" | "catalog.sync";
  source: string;
  staffId: string | undefined;
  at: number;
  outcome:
    | { version: number; added: number; changed: number; removed: number }
    | { failure: string };
}

/** Adds an entry. A repeat of the last failure only updates the time of its entry. */
export async function recordCatalogUpdate(
  tx: Tx,
  { accountId, environment }: Scope,
  { action, source, staffId, at, outcome }: CatalogUpdateNote,
): Promise<void> {
  const scope = { accountId, environment };
  const failure = "failure" in outcome ? outcome.failure : null;
  const newest = await tx
    .selectFrom("catalog_updates")
    .select(["sequence", "action", "failure"])
    .where(inScope(scope))
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (failure !== null && newest?.failure === failure && newest.action === action) {
    await tx
      .updateTable("catalog_updates")
      .set({ at })
      .where(inScope(scope))
      .where("sequence", "=", newest.sequence)
      .execute();
    return;
  }
  const sequence = (newest?.sequence ?? 0) + 1;
  const nothing = { version: null, added: 0, changed: 0, removed: 0 };
  const { version, added, changed, removed } = "failure" in outcome ? nothing : outcome;
  await tx
    .insertInto("catalog_updates")
    .values({
      account_id: accountId,
      environment,
      sequence,
      at,
      action,
      source,
      staff_id: staffId ?? null,
      version,
      added,
      changed,
      removed,
      failure,
    })
    .execute();
  await tx
    .deleteFrom("catalog_updates")
    .where(inScope(scope))
    .where("sequence", "<=", sequence - UPDATES_KEPT)
    .execute();
}

export async function listCatalogUpdates(db: Db | Tx, scope: Scope): Promise<CatalogUpdates> {
  const rows = await db
    .selectFrom("catalog_updates as u")
    .leftJoin("staff as s", (join) =>
      join.onRef("s.account_id", "=", "u.account_id").onRef("s.staff_id", "=", "u.staff_id"),
    )
    .selectAll("u")
    .select("s.name")
    .where(inScope(scope, "u"))
    .orderBy("u.sequence", "desc")
    .limit(UPDATES_SHOWN)
    .execute();
  return {
    list: rows.map((row) => ({
      at: toTimestamp(row.at),
      kind: row.action === "catalog.sync" ? "SYNC" : "IMPORT",
      source: row.source,
      ...(row.staff_id !== null && { staff: { staffId: row.staff_id, name: row.name ?? "" } }),
      ...(row.version !== null && { version: row.version }),
      added: row.added,
      changed: row.changed,
      removed: row.removed,
      ...(row.failure !== null && { failure: row.failure }),
    })),
  };
}
