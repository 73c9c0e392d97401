import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";

/** Records a print and says which it is: 0 the original, then the copies. */
export async function recordPrint(
  tx: Tx,
  scope: Scope,
  print: { saleId: string; staffId: string; at: number },
): Promise<number> {
  const printed = await countPrints(tx, scope, [print.saleId]);
  const copyNumber = printed.get(print.saleId) ?? 0;
  await tx
    .insertInto("receipt_prints")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      sale_id: print.saleId,
      copy_number: copyNumber,
      staff_id: print.staffId,
      printed_at: print.at,
    })
    .execute();
  return copyNumber;
}

export async function countPrints(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<Map<string, number>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("receipt_prints")
    .select((eb) => ["sale_id", eb.fn.countAll<number>().as("prints")])
    .where(inScope(scope))
    .where("sale_id", "in", saleIds)
    .groupBy("sale_id")
    .execute();
  return new Map(rows.map((row) => [row.sale_id, row.prints]));
}
