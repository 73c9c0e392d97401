import type { OwedSale } from "../../../contract/pos/shifts.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { linesWithCustomerRefunds, readRoundingBack } from "../sales/index.ts";
import { type ShiftRow, scopeOfShift } from "./shift-store.ts";

/**
 * Sales of a shift, or carried over into it, with customer refunds still owed: for lines that were not
 * delivered and not refunded. Oldest first.
 */
export async function listOwedSales(
  db: Db | Tx,
  shift: ShiftRow,
  carriedIds: readonly string[],
): Promise<OwedSale[]> {
  const owed = linesWithCustomerRefunds(db, scopeOfShift(shift))
    .where("t.status", "=", "FAILED")
    .where("g.customer_refund_id", "is", null)
    .select((eb) => [
      "s.sale_id",
      "s.sale_number",
      eb.fn.sum<number>("l.price").as("price"),
      eb.fn.sum<number>("l.discount").as("discount"),
    ])
    .groupBy(["s.sale_id", "s.sale_number"]);
  const ofShift = db
    .selectFrom("sales")
    .select("sale_id")
    .where(inScope(scopeOfShift(shift)))
    .where("shift_id", "=", shift.shift_id);
  const own = await owed.where("l.sale_id", "in", ofShift).execute();
  const carried =
    carriedIds.length === 0 ? [] : await owed.where("l.transaction_id", "in", carriedIds).execute();
  const sales = [...own, ...carried]
    .map(({ price, discount, ...sale }) => ({ ...sale, paid: price - discount }))
    .filter(({ paid }) => paid > 0)
    .sort((one, other) => one.sale_number - other.sale_number);
  const scope = scopeOfShift(shift);
  const amounts: OwedSale[] = [];
  for (const { sale_id: saleId, sale_number: saleNumber, paid } of sales) {
    const amount = paid + (await readRoundingBack(db, scope, saleId, paid));
    amounts.push({ saleId, saleNumber, amount });
  }
  return amounts;
}
