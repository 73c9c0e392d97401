import { sql } from "kysely";
import { perFamily } from "../../../contract/pos/families.ts";
import { type PriceList, StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Scope } from "../../../db/changes.ts";
import { DamagedRow, intactFlag } from "../../../db/checksums.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { jsonLength } from "../../../db/engine-words.ts";
import { readOnceInGroup } from "../../../db/group-memory.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";

/** Before an owner saves a list: every offer at its suggested price, whatever that is. */
export const EMPTY_LIST: StoredPriceList = {
  rules: [],
  taxes: perFamily({ kind: "NONE", percent: "0" }),
  fxBufferPercent: "0",
  driftAlertPercent: "2",
};

/** A version of the list, without what is in it. */
export interface ListVersion {
  /** 0 before the first was saved. */
  version: number;
  /** From when on its prices are in force. */
  startsAt: number;
}

/** Before an owner saves one. */
const NO_VERSION: ListVersion = { version: 0, startsAt: -Infinity };

/** The newest version, whenever it starts. */
export async function findNewest(db: Db | Tx, scope: Scope): Promise<ListVersion> {
  const { accountId, environment } = scope;
  const { rows } = await readOnceInGroup(db, "price_lists", `${accountId}/${environment}`, () =>
    selectNewest(db, { accountId, environment }),
  );
  return rows[0] ?? NO_VERSION;
}

const selectNewest = compileOnce<Scope, ListVersion>((db, param) =>
  db
    .selectFrom("price_lists")
    .select(["version", "starts_at as startsAt"])
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .orderBy("version", "desc")
    .limit(sql.lit(1)),
);

/**
 * The version in force at an instant, and those after it by when they start: the newest that has begun
 * counts, so that saving a list for now withdraws what was planned before (rules#price-versions).
 */
export async function findInForce(
  db: Db | Tx,
  scope: Scope,
  at: number,
): Promise<ListVersion & { planned: readonly ListVersion[] }> {
  const planned: ListVersion[] = [];
  let version = await findNewest(db, scope);
  // There are few that are still to begin.
  while (version.startsAt > at) {
    const [next] = planned;
    if (!next || version.startsAt < next.startsAt) planned.unshift(version);
    version = await findBefore(db, scope, version.version);
  }
  return { ...version, planned };
}

async function findBefore(db: Db | Tx, scope: Scope, version: number): Promise<ListVersion> {
  const row = await db
    .selectFrom("price_lists")
    .select(["version", "starts_at as startsAt"])
    .where(inScope(scope))
    .where("version", "=", version - 1)
    .executeTakeFirst();
  return row ?? NO_VERSION;
}

/**
 * What is in a version.
 * @returns undefined where there is no such version
 * @throws DamagedRow when a fault of the disk has changed it
 */
export async function findList(
  db: Db | Tx,
  scope: Scope,
  version: number,
): Promise<StoredPriceList | undefined> {
  if (version === 0) return EMPTY_LIST;
  const row = await db
    .selectFrom("price_lists")
    .select("list_json")
    .select(intactFlag("price_lists").as("intact"))
    .where(inScope(scope))
    .where("version", "=", version)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.intact === 0) throw new DamagedRow("price_lists", String(version));
  const where = { table: "price_lists", column: "list_json", row: version } as const;
  return readColumn(StoredPriceList, row.list_json, where);
}

/**
 * The list in force at an instant, as it would be saved again, and whether another is to follow it.
 * @throws DamagedRow when a fault of the disk has changed it
 */
export async function readListInForce(
  db: Db | Tx,
  scope: Scope,
  at: number,
): Promise<{ list: PriceList; isPlanned: boolean }> {
  const { version, planned } = await findInForce(db, scope, at);
  const { rules, ...settings } = (await findList(db, scope, version)) ?? EMPTY_LIST;
  return {
    list: { ...settings, rules: rules.map(({ since: _since, ...rule }) => rule) },
    isPlanned: planned.length > 0,
  };
}

/** Versions, the newest first, with who saved them. */
export async function listVersionRows(
  db: Db | Tx,
  scope: Scope,
  { limit, offset }: { limit: number; offset: number },
) {
  const rows = await db
    .selectFrom("price_lists as p")
    .leftJoin("staff as s", (join) =>
      join.onRef("s.account_id", "=", "p.account_id").onRef("s.staff_id", "=", "p.staff_id"),
    )
    .select(["p.version", "p.starts_at", "p.saved_at", "p.staff_id", "s.name", "p.note"])
    .select(jsonLength("p.list_json", "rules").as("rules"))
    .where("p.account_id", "=", scope.accountId)
    .where("p.environment", "=", scope.environment)
    .orderBy("p.version", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows;
}

export interface NewVersion extends ListVersion {
  list: StoredPriceList;
  savedAt: number;
  staffId: string | undefined;
  note: string;
}

/** Adds a version; the caller has checked in the same transaction that it is the next. */
export async function addVersion(tx: Tx, scope: Scope, added: NewVersion): Promise<void> {
  await tx
    .insertInto("price_lists")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      version: added.version,
      list_json: JSON.stringify(added.list),
      starts_at: added.startsAt,
      saved_at: added.savedAt,
      staff_id: added.staffId ?? null,
      note: added.note,
    })
    .execute();
}

/** What sales by each rule have lost. One that a fault of the disk changed has lost everything. */
export async function readLosses(db: Db | Tx, scope: Scope): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("price_losses")
    .select(["rule_id", "lost"])
    .select(intactFlag("price_losses").as("intact"))
    .where(inScope(scope))
    .execute();
  return new Map(
    rows.map(({ rule_id, lost, intact }) => [rule_id, intact === 1 ? lost : Infinity]),
  );
}

/** Adds the loss of a purchase, minor units of the shop's currency. */
export async function addLoss(
  tx: Tx,
  scope: Scope,
  { transactionId, ruleId, lost }: { transactionId: string; ruleId: string; lost: number },
): Promise<void> {
  await tx
    .insertInto("purchase_losses")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      transaction_id: transactionId,
      rule_id: ruleId,
      lost,
    })
    .execute();
  await tx
    .insertInto("price_losses")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      rule_id: ruleId,
      lost,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "environment", "rule_id"])
        .doUpdateSet((eb) => ({ lost: eb("price_losses.lost", "+", lost) })),
    )
    .execute();
}

/** Gives the loss of a failed purchase back to its rule's budget. Does nothing where there was no loss. */
export async function releaseLoss(
  tx: Tx,
  { accountId, environment, transactionId }: Scope & { transactionId: string },
): Promise<void> {
  const taken = await tx
    .deleteFrom("purchase_losses")
    .where(inScope({ accountId, environment }))
    .where("transaction_id", "=", transactionId)
    .returning(["rule_id", "lost"])
    .executeTakeFirst();
  if (!taken) return;
  await tx
    .updateTable("price_losses")
    .set((eb) => ({ lost: eb("lost", "-", taken.lost) }))
    .where(inScope({ accountId, environment }))
    .where("rule_id", "=", taken.rule_id)
    .execute();
}
