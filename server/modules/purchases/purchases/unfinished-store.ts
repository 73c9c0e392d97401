import { sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { Doubt } from "../../../db/tables/transactions.ts";
import type { TransactionRef } from "../../books/transactions/index.ts";

/**
 * Marks the outcome of every unfinished purchase as unknown: the database is a copy, and what the copy
 * has as not sent may have been sent since. The engine then asks before it sends.
 * @returns how many there are
 */
export async function doubtUnfinished(tx: Tx): Promise<number> {
  const result = await tx
    .updateTable("purchases as p")
    .set(({ ref }) => ({
      attempt_state: "WORKING",
      doubt: sql<Doubt>`case ${ref("p.doubt")} when 'NONE' then 'LOST' else ${ref("p.doubt")} end`,
    }))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("transactions as t")
          .select("t.transaction_id")
          .whereRef("t.account_id", "=", "p.account_id")
          .whereRef("t.environment", "=", "p.environment")
          .whereRef("t.transaction_id", "=", "p.transaction_id")
          .where("t.finished_at", "is", null),
      ),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/**
 * Purchases that waited for an answer when the gateway stopped, and those whose next attempt is later
 * than `latest`; oldest first.
 */
export async function listInterrupted(db: Db | Tx, latest: number): Promise<TransactionRef[]> {
  const rows = await unfinishedPurchases(db)
    .select(["t.account_id", "t.environment", "t.transaction_id"])
    .where(({ or, eb }) =>
      or([
        eb("p.attempt_state", "in", ["SENT", "WORKING"]),
        eb("p.next_attempt_at", ">", latest),
        eb("t.status", "=", "PENDING"),
      ]),
    )
    .orderBy("t.created_at")
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    environment: row.environment,
    transactionId: row.transaction_id,
  }));
}

/** How many purchases a provider may have that are not finished. */
export async function countSubmitted(db: Db | Tx, scope: Scope): Promise<number> {
  const { count } = await unfinishedPurchases(db)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(inScope(scope, "t"))
    .where("p.attempt_state", "<>", "NONE")
    .executeTakeFirstOrThrow();
  return count;
}

/** Transactions (`t`) of purchases (`p`) that are not finished, as the beginning of a query. */
function unfinishedPurchases(db: Db | Tx) {
  return db
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .where("t.finished_at", "is", null);
}
