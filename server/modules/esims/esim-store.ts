import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";

/** An eSIM of an account and environment, by the purchase that issued it. */
export interface Esim {
  iccid: string;
  transactionId: string;
}

/** Notes whose an eSIM is, with the transition that completes the purchase which issued it. */
export async function recordEsim(tx: Tx, scope: Scope, esim: Esim & { at: number }): Promise<void> {
  await tx
    .insertInto("esims")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      iccid: esim.iccid,
      transaction_id: esim.transactionId,
      created_at: esim.at,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "environment", "iccid"]).doNothing())
    .execute();
}

export async function findEsim(
  db: Db | Tx,
  scope: Scope,
  iccid: string,
): Promise<Esim | undefined> {
  const row = await db
    .selectFrom("esims")
    .select("transaction_id")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("iccid", "=", iccid)
    .executeTakeFirst();
  return row && { iccid, transactionId: row.transaction_id };
}
