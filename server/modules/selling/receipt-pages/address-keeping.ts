import { sql } from "kysely";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY } from "../../../lib/clock.ts";
import { eraseRecipients } from "../../messages/mail/index.ts";
import type { SendingRow } from "./sending-store.ts";

const AT_ONCE = 200;
/** So long a sending may still be on its way, to whom it is for. */
const LEAST_DAYS = 3;
/** What became of a link is kept for so long after its end. */
const LINKS_KEPT_MS = 90 * DAY;

interface Books {
  db: Db;
  transactor: Transactor;
}

type Key = Pick<SendingRow, "account_id" | "environment" | "sending_id" | "mail_id">;

/**
 * Erases some of the addresses and numbers that receipts were sent to, once they are older than the shop
 * keeps what was delivered (rules#receipt-addresses-erased).
 * @returns whether there may be more
 */
export async function eraseAddresses({ db, transactor }: Books, now: number): Promise<boolean> {
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
      .where("created_at", "<", now - Math.max(keep_details_days, LEAST_DAYS) * DAY)
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
 * Deletes some of the links that ended long ago, and to whom they were sent.
 * @returns whether there may be more
 */
export async function pruneLinks({ db, transactor }: Books, now: number): Promise<boolean> {
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
      // A link that was sent has the id of its sending.
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

/** Erases the numbers that receipts were sent to, where nothing is under way to them any more. */
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

/** Why something did not go may name the address too. */
async function eraseAddress(tx: Tx, row: Key): Promise<void> {
  await tx
    .updateTable("receipt_sendings")
    .set({ recipient: "", fault: null })
    .where(inScope(row))
    .where("sending_id", "=", row.sending_id)
    .execute();
  const { account_id: accountId, mail_id: mailId } = row;
  if (mailId !== null) await eraseRecipients(tx, { accountId, mailId });
}
