import { type Selectable, sql } from "kysely";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { DAY } from "../../../lib/clock.ts";
import { eraseRecipients } from "../../messages/mail/index.ts";
import type { Base } from "../../module.ts";

export type SendingRow = Selectable<Tables["receipt_sendings"]>;

export async function addSending(tx: Tx, row: SendingRow): Promise<void> {
  await tx.insertInto("receipt_sendings").values(row).execute();
}

export function findSending(
  db: Db | Tx,
  scope: Scope,
  sendingId: string,
): Promise<SendingRow | undefined> {
  return findInScope(db, "receipt_sendings", scope, { sending_id: sendingId });
}

/** Changes the state, or stores the last error of a waiting sending. */
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

export type SendingPlace = Pick<SendingRow, "created_at" | "environment" | "sending_id">;

/** Lists sendings of both environments, newest first. Later pages are as fast as the first page. */
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

/** Shortens a recipient to a recognizable form: `a…@example.com`, `…4567`. */
export function shortened(to: string): string {
  if (to === "") return "";
  const [name = "", host] = to.split("@");
  return host === undefined ? `…${name.slice(-4)}` : `${name.slice(0, 1)}…@${host}`;
}

const AT_ONCE = 200;
/** Minimum retention of recipients, because a sending may be retried for this time. */
const MIN_DAYS = 3;
const LINKS_KEPT_MS = 90 * DAY;

type EraserDeps = Pick<Base, "db" | "transactor">;

type SendingKey = Pick<SendingRow, "account_id" | "environment" | "sending_id" | "mail_id">;

/**
 * Erases a batch of recipients that are older than the retention of delivered details
 * (rules#receipt-addresses-erased).
 * @returns whether more may remain
 */
export async function eraseAddresses(
  { db, transactor }: EraserDeps,
  now: number,
): Promise<boolean> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["account_id", "keep_details_days"])
    .where("keep_details_days", ">", 0)
    .execute();
  for (const { account_id, keep_details_days } of accounts) {
    const rows = await db
      .selectFrom("receipt_sendings")
      .select(["account_id", "environment", "sending_id", "mail_id"])
      .where("account_id", "=", account_id)
      .where("created_at", "<", now - Math.max(keep_details_days, MIN_DAYS) * DAY)
      .where(sql<boolean>`recipient <> ''`)
      .limit(AT_ONCE)
      .execute();
    if (rows.length === 0) continue;
    await transactor.transact(account_id, async (tx) => {
      for (const row of rows) await eraseAddress(tx, row);
    });
    return true;
  }
  return false;
}

/**
 * Deletes a batch of links that ended long ago, with their recipients.
 * @returns whether more may remain
 */
export async function pruneLinks({ db, transactor }: EraserDeps, now: number): Promise<boolean> {
  const links = await db
    .selectFrom("receipt_links")
    .select(["account_id", "environment", "link_id"])
    .where("expires_at", "<", now - LINKS_KEPT_MS)
    .orderBy("expires_at")
    .limit(AT_ONCE)
    .execute();
  if (links.length === 0) return false;
  await transactByAccount(transactor, links, async (tx, own) => {
    for (const link of own) {
      // A sending and its link have the same id.
      const sending = await tx
        .selectFrom("receipt_sendings")
        .select(["account_id", "environment", "sending_id", "mail_id"])
        .where(inScope(link))
        .where("sending_id", "=", link.link_id)
        .executeTakeFirst();
      if (sending) await eraseAddress(tx, sending);
      await tx
        .deleteFrom("receipt_links")
        .where(inScope(link))
        .where("link_id", "=", link.link_id)
        .execute();
    }
  });
  return links.length === AT_ONCE;
}

export async function eraseSendings(
  tx: Tx,
  { accountId, environment }: Scope,
  numbers: readonly string[],
): Promise<void> {
  const rows = await tx
    .selectFrom("receipt_sendings")
    .select(["account_id", "environment", "sending_id", "mail_id"])
    .where(inScope({ accountId, environment }))
    .where("recipient", "in", numbers)
    .where("state", "<>", "WAITING")
    .execute();
  for (const row of rows) await eraseAddress(tx, row);
}

/** Erases the address and the error, which may contain the address. */
async function eraseAddress(tx: Tx, row: SendingKey): Promise<void> {
  await tx
    .updateTable("receipt_sendings")
    .set({ recipient: "", fault: null })
    .where(inScope(row))
    .where("sending_id", "=", row.sending_id)
    .execute();
  const { account_id: accountId, mail_id: mailId } = row;
  if (mailId !== null) await eraseRecipients(tx, { accountId, mailId });
}
