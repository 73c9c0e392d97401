import type { Selectable } from "kysely";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { sealedText } from "../../../db/sealed-text.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY } from "../../../lib/clock.ts";
import { splitSecrets } from "./delivered-secrets.ts";
import { readFulfilment } from "./purchase-store.ts";

const AT_ONCE = 200;

interface Books {
  db: Db;
  transactor: Transactor;
}

/**
 * Encrypts details that an earlier version stored in clear text.
 * @returns whether there may be more such details
 */
export async function sealDetails({ db, transactor }: Books): Promise<boolean> {
  const rows = await db
    .selectFrom("purchases")
    .select(["account_id", "environment", "transaction_id", "fulfilment_json"])
    .where("details_state", "=", "CLEAR")
    .limit(AT_ONCE)
    .execute();
  if (rows.length === 0) return false;
  await transactByAccount(transactor, rows, async (tx, own) => {
    for (const { fulfilment_json, ...key } of own) {
      const { rest, secrets } = splitSecrets(
        readFulfilment(key.transaction_id, fulfilment_json ?? ""),
      );
      await tx
        .updateTable("purchases")
        .set({
          fulfilment_json: JSON.stringify(rest),
          details_sealed: sealedText(secrets),
          details_state: "SEALED",
        })
        .where(inScope(key))
        .where("transaction_id", "=", key.transaction_id)
        .where("details_state", "=", "CLEAR")
        .execute();
    }
  });
  return rows.length === AT_ONCE;
}

/**
 * Erases details whose retention period has expired (rules#redemption-erased).
 * @returns whether there may be more such details
 */
export async function eraseDetails({ db, transactor }: Books, now: number): Promise<boolean> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["account_id", "keep_details_days"])
    .where("keep_details_days", ">", 0)
    .execute();
  for (const { account_id, keep_details_days } of accounts) {
    const rows = await db
      .selectFrom("purchases")
      .select(["account_id", "environment", "transaction_id"])
      .where("details_state", "=", "SEALED")
      .where("account_id", "=", account_id)
      .where("details_at", "<", now - keep_details_days * DAY)
      .limit(AT_ONCE)
      .execute();
    const answers = await db
      .selectFrom("purchases")
      .select(["account_id", "environment", "transaction_id"])
      .where("answer_sealed", "is not", null)
      .where("account_id", "=", account_id)
      .where("answer_at", "<", now - keep_details_days * DAY)
      .limit(AT_ONCE)
      .execute();
    if (rows.length + answers.length === 0) continue;
    await transactor.transact(account_id, async (tx) => {
      await erase(tx, rows);
      await eraseAnswers(tx, answers);
    });
    return true;
  }
  return false;
}

/** Erases the provider's answers, which contain the same details (rules#redemption-erased). */
async function eraseAnswers(tx: Tx, rows: readonly Key[]): Promise<void> {
  for (const key of rows) {
    await tx
      .updateTable("purchases")
      .set({ answer_sealed: null })
      .where(inScope(key))
      .where("transaction_id", "=", key.transaction_id)
      .execute();
  }
}

type Key = Pick<Selectable<Tables["purchases"]>, "account_id" | "environment" | "transaction_id">;

async function erase(tx: Tx, rows: readonly Key[]): Promise<void> {
  for (const key of rows) {
    await tx
      .updateTable("purchases")
      .set({ details_sealed: null, details_state: "ERASED" })
      .where(inScope(key))
      .where("transaction_id", "=", key.transaction_id)
      .where("details_state", "=", "SEALED")
      .execute();
  }
}
