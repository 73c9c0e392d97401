import { type Selectable, sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";

export type SendingRow = Selectable<Tables["receipt_sendings"]>;

export async function addSending(tx: Tx, row: SendingRow): Promise<void> {
  await tx.insertInto("receipt_sendings").values(row).execute();
}

export function findSending(
  db: Db | Tx,
  scope: Scope,
  sendingId: string,
): Promise<SendingRow | undefined> {
  return db
    .selectFrom("receipt_sendings")
    .selectAll()
    .where(inScope(scope))
    .where("sending_id", "=", sendingId)
    .executeTakeFirst();
}

/** WAITING → SENT or FAILED, or back; or what went wrong while it still waits. */
export async function markSending(
  tx: Tx,
  row: Pick<SendingRow, "account_id" | "environment" | "sending_id">,
  mark: Partial<Pick<SendingRow, "state" | "fault" | "receiver" | "failures" | "ended_at">>,
): Promise<void> {
  await tx
    .updateTable("receipt_sendings")
    .set(mark)
    .where(inScope({ accountId: row.account_id, environment: row.environment }))
    .where("sending_id", "=", row.sending_id)
    .execute();
}

/** A place in the list of an account, which has the newest first. */
export type SendingPlace = Pick<SendingRow, "created_at" | "environment" | "sending_id">;

/** Of an account in both environments: a page costs what is on it, wherever it is. */
export function listAllSendings(
  db: Db | Tx,
  accountId: string,
  page: { state: SendingRow["state"] | undefined; after: SendingPlace | undefined; limit: number },
): Promise<SendingRow[]> {
  const { state, after, limit } = page;
  let query = db.selectFrom("receipt_sendings").selectAll().where("account_id", "=", accountId);
  if (state) query = query.where("state", "=", state);
  if (after) {
    const { created_at, environment, sending_id } = after;
    const place = sql`(${created_at}, ${environment}, ${sending_id})`;
    query = query.where(sql<boolean>`(created_at, environment, sending_id) < ${place}`);
  }
  return query
    .orderBy("created_at", "desc")
    .orderBy("environment", "desc")
    .orderBy("sending_id", "desc")
    .limit(limit)
    .execute();
}

/** Of a sale, the newest first. */
export function listSendings(
  db: Db | Tx,
  scope: Scope,
  saleId: string,
  limit: number,
): Promise<SendingRow[]> {
  return db
    .selectFrom("receipt_sendings")
    .selectAll()
    .where(inScope(scope))
    .where("sale_id", "=", saleId)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
}

/** Enough of an address or number to tell who was meant: `a…@example.com`, `…4567`. */
export function shortened(to: string): string {
  if (to === "") return "";
  const [name = "", host] = to.split("@");
  return host === undefined ? `…${name.slice(-4)}` : `${name.slice(0, 1)}…@${host}`;
}
