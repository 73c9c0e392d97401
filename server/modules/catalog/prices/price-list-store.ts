import { sql } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
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

/** Before the first save, every offer has its suggested price, even below cost. */
export const EMPTY_LIST: StoredPriceList = {
  rules: [],
  taxes: perFamily({ kind: "NONE", percent: "0" }),
  fxBufferPercent: "0",
  driftAlertPercent: "2",
};

/** List of a new shop: face values, rounding for cash, no price below cost. */
export const STARTING_LIST: StoredPriceList = {
  ...EMPTY_LIST,
  defaults: { faceValue: true, cashEndings: true },
  floor: { aboveCostPercent: "0" },
};

export interface ListVersion {
  version: number;
  startsAt: number;
}

const NO_VERSION: ListVersion = { version: 0, startsAt: -Infinity };

/** Finds the newest version, which may start later. */
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
 * Finds the newest version that has started. A newer version therefore withdraws a planned version
 * that starts at the same time or later (rules#price-versions).
 */
export async function findInForce(
  db: Db | Tx,
  scope: Scope,
  at: number,
): Promise<ListVersion & { planned: readonly ListVersion[] }> {
  const planned: ListVersion[] = [];
  let version = await findNewest(db, scope);
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

/** @throws DamagedRow if the checksum does not match */
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
 * Reads the list in force, to compare it with a list to be saved.
 * @throws DamagedRow if the checksum does not match
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

/** Stores a version, whose number the caller must have checked in the same transaction. */
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

export async function addStartingLists(
  tx: Tx,
  { accountId, staffId, at }: { accountId: string; staffId: string; at: number },
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const scope = { accountId, environment };
    const first = { version: 1, startsAt: at, savedAt: at, list: STARTING_LIST };
    await addVersion(tx, scope, { ...first, staffId, note: "" });
  }
}

/** Reads each rule's loss: infinite if its row is damaged, so that its budget counts as used up. */
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

/** Adds a loss in minor units of the shop's currency, once for each purchase. */
export async function addLoss(
  tx: Tx,
  scope: Scope,
  { transactionId, ruleId, lost }: { transactionId: string; ruleId: string; lost: number },
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("purchase_losses")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      transaction_id: transactionId,
      rule_id: ruleId,
      lost,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // A repeated purchase is refused later in the transaction.
  if (numInsertedOrUpdatedRows === 0n) return;
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

/** Gives the loss of a failed or refunded purchase back to the budget. Idempotent. */
export function releaseLoss(tx: Tx, purchase: Scope & { transactionId: string }): Promise<void> {
  return moveLoss(tx, purchase, 1);
}

/** Counts a released loss against the budget again, after the provider delivered. Idempotent. */
export function countLossAgain(tx: Tx, purchase: Scope & { transactionId: string }): Promise<void> {
  return moveLoss(tx, purchase, 0);
}

async function moveLoss(
  tx: Tx,
  { accountId, environment, transactionId }: Scope & { transactionId: string },
  isReleased: 0 | 1,
): Promise<void> {
  const moved = await tx
    .updateTable("purchase_losses")
    .set({ is_released: isReleased })
    .where(inScope({ accountId, environment }))
    .where("transaction_id", "=", transactionId)
    .where("is_released", "!=", isReleased)
    .returning(["rule_id", "lost"])
    .executeTakeFirst();
  if (!moved) return;
  const change = isReleased === 1 ? -moved.lost : moved.lost;
  await tx
    .updateTable("price_losses")
    .set((eb) => ({ lost: eb("lost", "+", change) }))
    .where(inScope({ accountId, environment }))
    .where("rule_id", "=", moved.rule_id)
    .execute();
}
