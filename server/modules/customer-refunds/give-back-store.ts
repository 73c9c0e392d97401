import type { Selectable } from "kysely";
import type { GiveBackTender } from "../../contract/pos/give-backs.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Tables } from "../../db/tables.ts";

type GiveBackRow = Selectable<Tables["give_backs"]>;

export interface NewGiveBack extends Scope {
  giveBackId: string;
  saleId: string;
  staffId: string;
  /** Whose drawer the money comes out of; none in training. */
  shiftId: string | undefined;
  approvedBy: string | undefined;
  /** The tenders of the refund; they add up to the amounts of its lines. */
  tenders: readonly GiveBackTender[];
  requestHash: string;
  /** What the customer paid for each line, minor units of the sale's currency. */
  lines: { transactionId: string; amount: number }[];
  at: number;
}

/** Books that money of lines was handed back. A line that was refunded before fails as a duplicate. */
export async function createGiveBack(tx: Tx, giveBack: NewGiveBack): Promise<void> {
  const { accountId: account_id, environment, lines, tenders } = giveBack;
  const scoped = { account_id, environment };
  await tx
    .insertInto("give_backs")
    .values({
      ...scoped,
      give_back_id: giveBack.giveBackId,
      sale_id: giveBack.saleId,
      staff_id: giveBack.staffId,
      approved_by: giveBack.approvedBy ?? null,
      amount: lines.reduce((sum, { amount }) => sum + amount, 0),
      request_hash: giveBack.requestHash,
      created_at: giveBack.at,
      shift_id: giveBack.shiftId ?? null,
    })
    .execute();
  await tx
    .insertInto("give_back_lines")
    .values(
      lines.map(({ transactionId, amount }) => ({
        ...scoped,
        transaction_id: transactionId,
        give_back_id: giveBack.giveBackId,
        sale_id: giveBack.saleId,
        amount,
      })),
    )
    .execute();
  if (tenders.length === 0) return;
  await tx
    .insertInto("give_back_tenders")
    .values(
      tenders.map(({ kind, amount }) => ({
        ...scoped,
        give_back_id: giveBack.giveBackId,
        kind,
        amount,
      })),
    )
    .execute();
}

/** Whether any of its money was handed back in cash. */
export async function wentInCash(db: Db, scope: Scope, giveBackId: string): Promise<boolean> {
  const row = await db
    .selectFrom("give_back_tenders")
    .select("amount")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("give_back_id", "=", giveBackId)
    .where("kind", "=", "CASH")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findGiveBack(
  db: Db | Tx,
  scope: Scope,
  giveBackId: string,
): Promise<GiveBackRow | undefined> {
  return db
    .selectFrom("give_backs")
    .selectAll()
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("give_back_id", "=", giveBackId)
    .executeTakeFirst();
}
