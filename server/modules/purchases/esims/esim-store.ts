import { sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { jsonField } from "../../../db/engine-words.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";

interface NewEsim {
  iccid: string;
  transactionId: string;
}

export interface Esim extends NewEsim {
  /** The provider that issued it; undefined for the first provider. */
  providerId: string | undefined;
}

/** Stores an eSIM in the transaction that completes its purchase. */
export async function recordEsim(
  tx: Tx,
  scope: Scope,
  esim: NewEsim & { at: number },
): Promise<void> {
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
    .selectFrom("esims as e")
    .innerJoin("purchases as p", inSameScope("p", "e", "transaction_id"))
    .select(["e.transaction_id", "p.provider_id"])
    .where(inScope(scope, "e"))
    .where("e.iccid", "=", iccid)
    .executeTakeFirst();
  if (!row) return undefined;
  return { iccid, transactionId: row.transaction_id, providerId: row.provider_id ?? undefined };
}

/**
 * Returns whether every purchase for the eSIM was or is being refunded. Failed refunds do not
 * count.
 */
export async function isEsimGone(db: Db | Tx, scope: Scope, esim: Esim): Promise<boolean> {
  const { iccid, transactionId } = esim;
  const { accountId, environment } = scope;
  // Checks the first purchase, which is found by its key, before searching for later purchases.
  if (!(await isRefunded(db, scope, transactionId))) return false;
  const { rows } = await sql`
    select 1 from transactions t join purchases p using (account_id, environment, transaction_id)
    where t.account_id = ${accountId} and t.environment = ${environment}
      and t.product_type = 'ESIM' and t.status = 'DONE'
      and ${jsonField("p.fulfilment_json", "esim", "iccid")} = ${iccid}
      and not exists (
        select 1 from refunds r
        where r.account_id = t.account_id and r.environment = t.environment
          and r.refunded_transaction_id = t.transaction_id and r.failed = 0
      )
    limit 1`.execute(db);
  return rows.length === 0;
}

async function isRefunded(db: Db | Tx, scope: Scope, transactionId: string): Promise<boolean> {
  const row = await db
    .selectFrom("refunds")
    .select("transaction_id")
    .where(inScope(scope))
    .where("refunded_transaction_id", "=", transactionId)
    .where("failed", "=", 0)
    .executeTakeFirst();
  return row !== undefined;
}
