import type { ShiftTax } from "../../contract/pos/taxes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { linesWithTransactions } from "../sales/index.ts";
import { type ShiftRow, scopeOfShift } from "./shift-store.ts";

/**
 * The tax of a shift's lines without those that failed, and of carried-over lines that failed since: the
 * report of an earlier shift counted them as sold. By kind and rate.
 */
export async function tallyTaxes(
  db: Db | Tx,
  shift: ShiftRow,
  carriedIds: readonly string[],
): Promise<ShiftTax[]> {
  const taxed = linesWithTransactions(db, scopeOfShift(shift))
    .select((eb) => [
      "l.tax_kind as kind",
      "l.tax_percent as percent",
      eb.fn.sum<number>("l.tax").as("tax"),
    ])
    .where("l.tax", ">", 0)
    .groupBy(["l.tax_kind", "l.tax_percent"]);
  const sold = await taxed
    .where("t.status", "<>", "FAILED")
    .where("l.sale_id", "in", (eb) =>
      eb
        .selectFrom("sales")
        .select("sale_id")
        .where(inScope(shift))
        .where("shift_id", "=", shift.shift_id),
    )
    .execute();
  const failed =
    carriedIds.length === 0
      ? []
      : await taxed
          .where("t.status", "=", "FAILED")
          .where("l.transaction_id", "in", carriedIds)
          .execute();
  const rows = [
    ...sold.map(({ tax, ...by }) => ({ ...by, sold: tax, refunded: 0 })),
    ...failed.map(({ tax, ...by }) => ({ ...by, sold: 0, refunded: tax })),
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
