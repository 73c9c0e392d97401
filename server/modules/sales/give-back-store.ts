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
  /** How it goes; they add up to what the lines come to. */
  tenders: readonly GiveBackTender[];
  requestHash: string;
  /** What the customer paid for each line, minor units of the sale's currency. */
  lines: { transactionId: string; amount: number }[];
  at: number;
}

/** Books that money of lines was handed back. A line that was before fails as a duplicate. */
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

/** The give-backs (`g`) of a scope, each with how its money went (`t`), for a query to go on from. */
export function giveBacksWithTenders(db: Db | Tx, scope: Scope) {
  return db
    .selectFrom("give_backs as g")
    .innerJoin("give_back_tenders as t", (join) =>
      join
        .onRef("t.account_id", "=", "g.account_id")
        .onRef("t.environment", "=", "g.environment")
        .onRef("t.give_back_id", "=", "g.give_back_id"),
    )
    .where("g.account_id", "=", scope.accountId)
    .where("g.environment", "=", scope.environment);
}

/** What of each of these sales' money has gone back, and how. */
export async function listGoneBack(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<Map<string, GiveBackTender[]>> {
  if (saleIds.length === 0) return new Map();
  const rows = await giveBacksWithTenders(db, scope)
    .select(["g.sale_id", "t.kind", "t.amount"])
    .where("g.sale_id", "in", saleIds)
    .execute();
  const bySale = Map.groupBy(rows, (row) => row.sale_id);
  return new Map(
    [...bySale].map(([saleId, of]) => [saleId, of.map(({ kind, amount }) => ({ kind, amount }))]),
  );
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

/** The lines of these sales whose money was handed back, by transaction id. */
export async function findGivenBack(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (saleIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("give_back_lines")
    .select("transaction_id")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("sale_id", "in", saleIds)
    .execute();
  return new Set(rows.map((row) => row.transaction_id));
}
