import type { Selectable } from "kysely";
import type { TenderKind } from "../../contract/pos/tenders.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Tables } from "../../db/tables.ts";

type GiveBackRow = Selectable<Tables["give_backs"]>;

export interface NewGiveBack extends Scope {
  giveBackId: string;
  saleId: string;
  staffId: string;
  /** Whose drawer the money comes out of. */
  shiftId: string;
  approvedBy: string | undefined;
  kind: TenderKind;
  requestHash: string;
  /** What the customer paid for each line, minor units of the sale's currency. */
  lines: { transactionId: string; amount: number }[];
  at: number;
}

/** Books that money of lines was handed back. A line that was before fails as a duplicate. */
export async function createGiveBack(tx: Tx, giveBack: NewGiveBack): Promise<void> {
  const { accountId: account_id, environment, lines } = giveBack;
  const scoped = { account_id, environment };
  await tx
    .insertInto("give_backs")
    .values({
      ...scoped,
      give_back_id: giveBack.giveBackId,
      sale_id: giveBack.saleId,
      staff_id: giveBack.staffId,
      approved_by: giveBack.approvedBy ?? null,
      kind: giveBack.kind,
      amount: lines.reduce((sum, { amount }) => sum + amount, 0),
      request_hash: giveBack.requestHash,
      created_at: giveBack.at,
      shift_id: giveBack.shiftId,
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
