import { sql } from "kysely";
import type { ShiftTax } from "../../contract/pos/taxes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { indexedBy, joinInOrder } from "../../db/engine-words.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { ShiftRow } from "./shift-store.ts";

/** What lines of one kind and rate are taxed together. */
type Taxed = Pick<ShiftTax, "kind" | "percent"> & { tax: number };

/** What a shift's lines are taxed, and the lines whose money was handed back in it; by kind and rate. */
export async function tallyTaxes(db: Db | Tx, shift: ShiftRow): Promise<ShiftTax[]> {
  const sold: Taxed[] = await db
    .selectFrom("sale_lines as l")
    .select((eb) => [
      "l.tax_kind as kind",
      "l.tax_percent as percent",
      eb.fn.sum<number>("l.tax").as("tax"),
    ])
    .where(inScope(shift, "l"))
    .where("l.sale_id", "in", (eb) =>
      eb
        .selectFrom("sales")
        .select("sale_id")
        .where(inScope(shift))
        .where("shift_id", "=", shift.shift_id),
    )
    .where("l.tax", ">", 0)
    .groupBy(["l.tax_kind", "l.tax_percent"])
    .execute();
  const { rows: refunded } = await sql<Taxed>`
    select l.tax_kind as kind, l.tax_percent as percent, sum(l.tax) as tax
    from customer_refunds b
    ${joinInOrder} customer_refund_lines g ${indexedBy("customer_refund_lines_of_sale")}
      on g.account_id = b.account_id and g.environment = b.environment
      and g.sale_id = b.sale_id and g.customer_refund_id = b.customer_refund_id
    ${joinInOrder} sale_lines l on l.account_id = g.account_id and l.environment = g.environment
      and l.transaction_id = g.transaction_id
    where b.account_id = ${shift.account_id} and b.environment = ${shift.environment}
      and b.shift_id = ${shift.shift_id} and l.tax > 0
    group by l.tax_kind, l.tax_percent`.execute(db);
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
