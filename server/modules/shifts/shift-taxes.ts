import type { ShiftTax } from "../../contract/pos/taxes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inSameScope, inScope } from "../../db/scope-filters.ts";
import type { ShiftRow } from "./shift-store.ts";

/** What a shift's lines are taxed, and the lines whose money was handed back in it; by kind and rate. */
export async function tallyTaxes(db: Db | Tx, shift: ShiftRow): Promise<ShiftTax[]> {
  const sold = await taxesOf(db, shift)
    .where("l.sale_id", "in", (eb) =>
      eb
        .selectFrom("sales")
        .select("sale_id")
        .where(inScope(shift))
        .where("shift_id", "=", shift.shift_id),
    )
    .execute();
  const refunded = await taxesOf(db, shift)
    .where("l.transaction_id", "in", (eb) =>
      eb
        .selectFrom("customer_refunds as b")
        // By their sale, too: by their refund alone all that was ever refunded is looked at.
        .innerJoin("customer_refund_lines as g", inSameScope("g", "b", "sale_id"))
        .whereRef("g.customer_refund_id", "=", "b.customer_refund_id")
        .select("g.transaction_id")
        .where(inScope(shift, "b"))
        .where("b.shift_id", "=", shift.shift_id),
    )
    .execute();
  const rows = [
    ...sold.map(({ tax, ...by }) => ({ ...by, sold: tax, refunded: 0 })),
    ...refunded.map(({ tax, ...by }) => ({ ...by, sold: 0, refunded: tax })),
  ];
  const sum = (of: readonly ShiftTax[], which: "sold" | "refunded") =>
    of.reduce((total, row) => total + row[which], 0);
  return [...Map.groupBy(rows, ({ kind, percent }) => `${kind} ${percent}`).values()]
    .flatMap((of) => {
      const [first] = of;
      return first ? [{ ...first, sold: sum(of, "sold"), refunded: sum(of, "refunded") }] : [];
    })
    .toSorted((a, b) => b.kind.localeCompare(a.kind) || Number(a.percent) - Number(b.percent));
}

function taxesOf(db: Db | Tx, shift: ShiftRow) {
  return db
    .selectFrom("sale_lines as l")
    .select((eb) => [
      "l.tax_kind as kind",
      "l.tax_percent as percent",
      eb.fn.sum<number>("l.tax").as("tax"),
    ])
    .where(inScope(shift, "l"))
    .where("l.tax", ">", 0)
    .groupBy(["l.tax_kind", "l.tax_percent"]);
}
