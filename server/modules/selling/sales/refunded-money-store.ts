import type { CustomerRefundTender } from "../../../contract/pos/sales.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { roundingBack } from "./customer-refund-split.ts";
import { findSaleById, listTenderRows } from "./sale-store.ts";

/** Selects customer refunds (`g`) with their tenders (`t`). */
export function customerRefundsWithTenders(db: Db | Tx, scope: Scope) {
  return db
    .selectFrom("customer_refunds as g")
    .innerJoin("customer_refund_tenders as t", inSameScope("t", "g", "customer_refund_id"))
    .where(inScope(scope, "g"));
}

/** The first tender of a kind has no id. Without a name, only the kind is returned. */
export function namedTender(row: { kind: TenderKind; tender_id: string; tender_name: string }) {
  return {
    kind: row.kind,
    ...(row.tender_id !== "" && { tenderId: row.tender_id }),
    ...(row.tender_name !== "" && { name: row.tender_name }),
  };
}

export async function listGoneBack(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<Map<string, CustomerRefundTender[]>> {
  if (saleIds.length === 0) return new Map();
  const rows = await customerRefundsWithTenders(db, scope)
    .select(["g.sale_id", "t.kind", "t.tender_id", "t.tender_name", "t.amount"])
    .where("g.sale_id", "in", saleIds)
    .execute();
  const bySale = Map.groupBy(rows, (row) => row.sale_id);
  return new Map(
    [...bySale].map(([saleId, of]) => [
      saleId,
      of.map(({ amount, ...row }) => ({ ...namedTender(row), amount })),
    ]),
  );
}

/**
 * Returns the rounding of a refund after earlier refunds of the sale (rules#cash-rounding).
 * @param lines paid price of the refunded lines
 */
export async function readRoundingBack(
  tx: Db | Tx,
  scope: Scope,
  saleId: string,
  lines: number,
): Promise<number> {
  const sale = await findSaleById(tx, scope, saleId);
  // Most shops do not round cash, and need no further query.
  if (!sale || sale.cash_step === 0) return 0;
  const { before } = await tx
    .selectFrom("customer_refund_lines")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("amount"), eb.lit(0)).as("before"))
    .where(inScope(scope))
    .where("sale_id", "=", saleId)
    .executeTakeFirstOrThrow();
  const paid = await listTenderRows(tx, scope, [saleId]);
  const { cash_rounding: cashRounding, cash_step: cashStep } = sale;
  return roundingBack({ cashRounding, cashStep, paid }, before, lines);
}

/** If the refunded money paid for another sale, the refund has that sale's number. */
export interface LineRefund {
  readonly sentAgainAs?: number;
}

export async function findGivenBack(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<ReadonlyMap<string, LineRefund>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("customer_refund_lines as l")
    .innerJoin("customer_refunds as g", inSameScope("g", "l", "customer_refund_id"))
    .leftJoin("sales as s", (join) =>
      join
        .onRef("s.account_id", "=", "g.account_id")
        .onRef("s.environment", "=", "g.environment")
        .onRef("s.sale_id", "=", "g.replaced_by"),
    )
    .select(["l.transaction_id", "s.sale_number"])
    .where(inScope(scope, "l"))
    .where("l.sale_id", "in", saleIds)
    .execute();
  return new Map(
    rows.map(({ transaction_id, sale_number }) => [
      transaction_id,
      sale_number === null ? {} : { sentAgainAs: sale_number },
    ]),
  );
}
