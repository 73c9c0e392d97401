import { sql } from "kysely";
import type { TransactionStatus } from "../../../contract/common.ts";
import { FAMILIES, type Family } from "../../../contract/pos/families.ts";
import type { ShiftFigures, Tally } from "../../../contract/pos/shifts.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import {
  customerRefundsWithTenders,
  linesWithSales,
  linesWithTransactions,
  namedTender,
  statusOrReturned,
} from "../sales/index.ts";
import { type ShiftRow, toShiftScope } from "./shift-store.ts";
import { listOwedSales } from "./unfinished-lines.ts";

type LineTallies = Required<ShiftFigures["carriedOver"]>;

/** @param carriedIds lines that the person's previous shift left unfinished */
export async function countFigures(
  db: Db | Tx,
  shift: ShiftRow,
  carriedIds: readonly string[],
): Promise<ShiftFigures> {
  const wallet = await getWalletUnit(db, shift.account_id);
  const families = await tallyFamilies(db, shift, { ofShift: true });
  const carried = await tallyFamilies(db, shift, { transactionIds: carriedIds });
  const sales = await tallySales(db, shift);
  const owed = await listOwedSales(db, shift, carriedIds);
  const moved = await tallyMovements(db, shift);
  return {
    sales: { count: sales.count, value: sales.value },
    refundsDue: {
      count: owed.length,
      value: owed.reduce((sum, { amount }) => sum + amount, 0),
    },
    ...addUp([...families.values()]),
    walletCurrency: wallet.currency,
    walletCurrencyDivisor: wallet.currencyDivisor,
    discounts: sales.discounts,
    taxes: await tallyTaxes(db, shift, carriedIds),
    cashRounding: await sumRounding(db, shift),
    ...(await tallyTenders(db, shift)),
    families: FAMILIES.flatMap((productType) => {
      const tallies = families.get(productType);
      return tallies ? { productType, ...tallies } : [];
    }),
    customerRefunds: await tallyCustomerRefunds(db, shift),
    payIns: moved("PAY_IN"),
    payOuts: moved("PAY_OUT"),
    drops: moved("DROP"),
    noSales: moved("NO_SALE").count,
    carriedOver: addUp([...carried.values()]),
  };
}

/** Removes the shop's cost, for people who may not see it (rules#shift-blind-count). */
export function withoutCost(figures: ShiftFigures): ShiftFigures {
  const strip = <Tallies extends ShiftFigures["carriedOver"]>(tallies: Tallies) => {
    const { walletSpent: _, ...rest } = tallies;
    return rest;
  };
  return {
    ...strip(figures),
    families: figures.families.map(strip),
    carriedOver: strip(figures.carriedOver),
  };
}

export function expectedCash(shift: ShiftRow, figures: ShiftFigures): number {
  const { cashTendered, changeGiven, payIns, payOuts, drops, customerRefunds } = figures;
  const refunded = customerRefunds.find(({ kind }) => kind === "CASH")?.value ?? 0;
  return (
    shift.opening_float +
    cashTendered -
    changeGiven +
    payIns.value -
    payOuts.value -
    drops.value -
    refunded
  );
}

/** Counts sales with delivered or unfinished lines. Returned lines do not count. */
async function tallySales(db: Db | Tx, shift: ShiftRow) {
  const row = await linesWithSales(db, toShiftScope(shift))
    .where("l.sale_id", "in", selectSales(db, shift))
    .where("l.returned_at", "is", null)
    .select((eb) => [
      sql<number>`count(distinct l.sale_id)`.as("count"),
      eb.fn.sum<number | null>("l.price").as("price"),
      eb.fn.sum<number | null>("l.discount").as("discount"),
      sql<number>`count(distinct case when l.discount > 0 then l.sale_id end)`.as("discounted"),
    ])
    .executeTakeFirstOrThrow();
  const discount = row.discount ?? 0;
  return {
    count: row.count,
    value: (row.price ?? 0) - discount,
    discounts: { count: row.discounted, value: discount },
  };
}

/** A subquery, because a query with a join would scan all sales. */
function selectSales(db: Db | Tx, shift: ShiftRow) {
  return db
    .selectFrom("sales")
    .select("sale_id")
    .where(inScope(shift))
    .where("shift_id", "=", shift.shift_id);
}

async function tallyTenders(db: Db | Tx, shift: ShiftRow) {
  const rows = await db
    .selectFrom("sale_tenders as p")
    .innerJoin("sales as s", inSameScope("s", "p", "sale_id"))
    .select((eb) => [
      "p.kind",
      "p.tender_id",
      "p.tender_name",
      eb.fn.max("s.sale_number").as("newest"),
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number>("p.amount").as("value"),
      eb.fn.sum<number | null>("p.tendered").as("tendered"),
    ])
    .where(inScope(shift, "s"))
    .where("p.sale_id", "in", selectSales(db, shift))
    .groupBy(["p.kind", "p.tender_id", "p.tender_name"])
    .orderBy("p.kind")
    .orderBy("p.tender_id")
    .orderBy("newest", "desc")
    .execute();
  const cash = rows.filter(({ kind }) => kind === "CASH");
  const cashTendered = cash.reduce((sum, { tendered }) => sum + (tendered ?? 0), 0);
  return {
    tenders: joinNames(rows),
    cashTendered,
    changeGiven: cashTendered - cash.reduce((sum, { value }) => sum + value, 0),
  };
}

type NamedTally = Parameters<typeof namedTender>[0] & { count: number; value: number };

function joinNames(rows: readonly NamedTally[]) {
  return [...Map.groupBy(rows, (row) => `${row.kind} ${row.tender_id}`).values()].flatMap(
    (named) => {
      const total = (of: "count" | "value") => named.reduce((sum, row) => sum + row[of], 0);
      const last = named[0] && namedTender(named[0]);
      return last ? [{ ...last, count: total("count"), value: total("value") }] : [];
    },
  );
}

async function sumRounding(db: Db | Tx, shift: ShiftRow): Promise<number> {
  const sumOf = async (table: "sales" | "customer_refunds") => {
    const { rounding } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("cash_rounding"), eb.lit(0)).as("rounding"))
      .where(inScope(shift))
      .where("shift_id", "=", shift.shift_id)
      .executeTakeFirstOrThrow();
    return rounding;
  };
  return (await sumOf("sales")) - (await sumOf("customer_refunds"));
}

async function tallyCustomerRefunds(db: Db | Tx, shift: ShiftRow) {
  const rows = await customerRefundsWithTenders(db, toShiftScope(shift))
    .select((eb) => [
      "t.kind",
      "t.tender_id",
      "t.tender_name",
      eb.fn.max("g.created_at").as("newest"),
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number>("t.amount").as("value"),
    ])
    .where("t.customer_refund_id", "in", (eb) =>
      eb
        .selectFrom("customer_refunds")
        .select("customer_refund_id")
        .where(inScope(shift))
        .where("shift_id", "=", shift.shift_id),
    )
    .groupBy(["t.kind", "t.tender_id", "t.tender_name"])
    .orderBy("t.kind")
    .orderBy("t.tender_id")
    .orderBy("newest", "desc")
    .execute();
  return joinNames(rows);
}

async function tallyFamilies(
  db: Db | Tx,
  shift: ShiftRow,
  which: { ofShift: true } | { transactionIds: readonly string[] },
): Promise<Map<Family, LineTallies>> {
  if ("transactionIds" in which && which.transactionIds.length === 0) return new Map();
  const status = statusOrReturned();
  let query = linesWithTransactions(db, toShiftScope(shift)).select((eb) => [
    "l.product_type",
    status.as("status"),
    eb.fn.countAll<number>().as("count"),
    eb.fn.sum<number>("l.price").as("price"),
    eb.fn.sum<number>("l.discount").as("discount"),
    eb.fn.sum<number>("t.amount").as("cost"),
  ]);
  query =
    "ofShift" in which
      ? query.where("l.sale_id", "in", selectSales(db, shift))
      : query.where("l.transaction_id", "in", which.transactionIds);
  // Without the hint, SQLite would scan the index by family, which contains every line ever sold.
  const rows = await query.groupBy([sql`${withoutIndex}l.product_type`, status]).execute();

  const families = new Map<Family, LineTallies>();
  for (const { product_type: family, status, count, price, discount, cost } of rows) {
    const tallies = families.get(family) ?? noLines();
    const ended = toOutcome(status);
    const added = { ...tallies, [ended]: plus(tallies[ended], { count, value: price - discount }) };
    if (status === "DONE") added.walletSpent += cost;
    families.set(family, added);
  }
  return families;
}

function toOutcome(status: TransactionStatus): "delivered" | "notDelivered" | "unfinished" {
  switch (status) {
    case "DONE":
      return "delivered";
    case "FAILED":
      return "notDelivered";
    default:
      return "unfinished";
  }
}

async function tallyMovements(db: Db | Tx, shift: ShiftRow) {
  const rows = await db
    .selectFrom("cash_movements")
    .select((eb) => [
      "kind",
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number>("amount").as("value"),
    ])
    .where(inScope(shift))
    .where("shift_id", "=", shift.shift_id)
    .groupBy("kind")
    .execute();
  return (kind: string): Tally => {
    const row = rows.find((candidate) => candidate.kind === kind);
    return row ? { count: row.count, value: row.value } : none();
  };
}

function addUp(tallies: readonly LineTallies[]): LineTallies {
  return tallies.reduce(
    (sum, next) => ({
      delivered: plus(sum.delivered, next.delivered),
      notDelivered: plus(sum.notDelivered, next.notDelivered),
      unfinished: plus(sum.unfinished, next.unfinished),
      walletSpent: sum.walletSpent + next.walletSpent,
    }),
    noLines(),
  );
}

function plus(a: Tally, b: Tally): Tally {
  return { count: a.count + b.count, value: a.value + b.value };
}

function none(): Tally {
  return { count: 0, value: 0 };
}

function noLines(): LineTallies {
  return { delivered: none(), notDelivered: none(), unfinished: none(), walletSpent: 0 };
}

/**
 * Sums taxes by kind and rate. Returned lines do not count. Carried-over lines that failed are
 * subtracted, because an earlier report counted them as sold.
 */
async function tallyTaxes(
  db: Db | Tx,
  shift: ShiftRow,
  carriedIds: readonly string[],
): Promise<ShiftTax[]> {
  const taxed = linesWithSales(db, toShiftScope(shift))
    .select((eb) => [
      "l.tax_kind as kind",
      "l.tax_percent as percent",
      eb.fn.sum<number>("l.tax").as("tax"),
    ])
    .where("l.tax", ">", 0)
    .groupBy(["l.tax_kind", "l.tax_percent"]);
  const sold = await taxed
    .where("l.returned_at", "is", null)
    .where("l.sale_id", "in", selectSales(db, shift))
    .execute();
  const failed =
    carriedIds.length === 0
      ? []
      : await taxed
          .where("l.returned_at", "is not", null)
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
