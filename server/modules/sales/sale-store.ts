import type { Selectable } from "kysely";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Tables } from "../../db/tables.ts";

export type SaleRow = Selectable<Tables["sales"]>;
export type SaleLineRow = Selectable<Tables["sale_lines"]>;

export interface NewSale extends Scope {
  saleId: string;
  staffId: string;
  currency: string;
  currencyDivisor: number;
  total: number;
  tendered: number;
  requestHash: string;
  lines: { transactionId: string; recipient: string }[];
  at: number;
}

/** Writes a sale under the next number of its environment. */
export async function createSale(tx: Tx, sale: NewSale): Promise<void> {
  const scoped = { account_id: sale.accountId, environment: sale.environment };
  const { highest } = await tx
    .selectFrom("sales")
    .select((eb) => eb.fn.max("sale_number").as("highest"))
    .where("account_id", "=", sale.accountId)
    .where("environment", "=", sale.environment)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("sales")
    .values({
      ...scoped,
      sale_id: sale.saleId,
      sale_number: (highest ?? 0) + 1,
      staff_id: sale.staffId,
      currency: sale.currency,
      currency_divisor: sale.currencyDivisor,
      total: sale.total,
      tender_kind: "CASH",
      tendered: sale.tendered,
      change_given: sale.tendered - sale.total,
      request_hash: sale.requestHash,
      created_at: sale.at,
    })
    .execute();
  await tx
    .insertInto("sale_lines")
    .values(
      sale.lines.map((line, position) => ({
        ...scoped,
        sale_id: sale.saleId,
        position,
        transaction_id: line.transactionId,
        recipient: line.recipient,
        created_at: sale.at,
      })),
    )
    .execute();
}

export async function findSaleRow(
  db: Db | Tx,
  scope: Scope,
  saleId: string,
): Promise<SaleRow | undefined> {
  return db
    .selectFrom("sales")
    .selectAll()
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("sale_id", "=", saleId)
    .executeTakeFirst();
}

/** The sale that a transaction belongs to; an integrator's purchase belongs to none. */
export async function findSaleIdOf(
  db: Db | Tx,
  scope: Scope,
  transactionId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("sale_lines")
    .select("sale_id")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("transaction_id", "=", transactionId)
    .executeTakeFirst();
  return row?.sale_id;
}

/** Under which number and by whom a transaction was sold at the till. */
export interface SaleOfTransaction {
  saleId: string;
  saleNumber: number;
  clerk: string;
}

/** The sales that these transactions belong to, by transaction; an integrator's have none. */
export async function findSalesOf(
  db: Db | Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<Map<string, SaleOfTransaction>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("sale_lines as l")
    .innerJoin("sales as s", (join) =>
      join
        .onRef("s.account_id", "=", "l.account_id")
        .onRef("s.environment", "=", "l.environment")
        .onRef("s.sale_id", "=", "l.sale_id"),
    )
    .innerJoin("staff as c", (join) =>
      join.onRef("c.account_id", "=", "s.account_id").onRef("c.staff_id", "=", "s.staff_id"),
    )
    .select(["l.transaction_id", "s.sale_id", "s.sale_number", "c.name"])
    .where("l.account_id", "=", scope.accountId)
    .where("l.environment", "=", scope.environment)
    .where("l.transaction_id", "in", transactionIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.transaction_id,
      { saleId: row.sale_id, saleNumber: row.sale_number, clerk: row.name },
    ]),
  );
}

export async function findSaleNumbers(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<Map<string, number>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("sales")
    .select(["sale_id", "sale_number"])
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("sale_id", "in", saleIds)
    .execute();
  return new Map(rows.map((row) => [row.sale_id, row.sale_number]));
}

export async function listSaleRows(
  db: Db | Tx,
  scope: Scope,
  period: { since: number; search: string | undefined; limit: number; offset: number },
): Promise<{ total: number; rows: SaleRow[] }> {
  const { search } = period;
  let query = db
    .selectFrom("sales")
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("created_at", ">=", period.since);
  if (search !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("sale_number", "=", Number(search)),
        eb.exists(
          eb
            .selectFrom("sale_lines as l")
            .select("l.position")
            .whereRef("l.account_id", "=", "sales.account_id")
            .whereRef("l.environment", "=", "sales.environment")
            .whereRef("l.sale_id", "=", "sales.sale_id")
            .where("l.recipient", "like", `%${search}%`),
        ),
      ]),
    );
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("sale_number", "desc")
    .limit(period.limit)
    .offset(period.offset)
    .execute();
  return { total, rows };
}

export async function listLineRows(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<SaleLineRow[]> {
  if (saleIds.length === 0) return [];
  return db
    .selectFrom("sale_lines")
    .selectAll()
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("sale_id", "in", saleIds)
    .orderBy("sale_id")
    .orderBy("position")
    .execute();
}

/** The newest lines, of one recipient or of all. */
export async function listNewestLines(
  db: Db | Tx,
  scope: Scope,
  filter: { recipient?: string; limit: number },
): Promise<SaleLineRow[]> {
  let query = db
    .selectFrom("sale_lines")
    .selectAll()
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment);
  if (filter.recipient !== undefined) query = query.where("recipient", "=", filter.recipient);
  return query.orderBy("created_at", "desc").limit(filter.limit).execute();
}

export interface SaleFigures {
  sold: number;
  sending: number;
  giveBack: number;
  unfinished: number;
}

/** What the lines of a period came to, by how they ended; minor units of the shop's currency. */
export async function sumLines(
  db: Db | Tx,
  scope: Scope,
  period: { since: number; currency: string },
): Promise<SaleFigures> {
  const rows = await db
    .selectFrom("sale_lines as l")
    .innerJoin("transactions as t", (join) =>
      join
        .onRef("t.account_id", "=", "l.account_id")
        .onRef("t.environment", "=", "l.environment")
        .onRef("t.transaction_id", "=", "l.transaction_id"),
    )
    .innerJoin("purchases as p", (join) =>
      join
        .onRef("p.account_id", "=", "l.account_id")
        .onRef("p.environment", "=", "l.environment")
        .onRef("p.transaction_id", "=", "l.transaction_id"),
    )
    .select((eb) => [
      "t.status",
      eb.fn.countAll<number>().as("lines"),
      eb.fn.sum<number>("p.price_base").as("base"),
      eb.fn.sum<number>("p.price_fee").as("fee"),
    ])
    .where("l.account_id", "=", scope.accountId)
    .where("l.environment", "=", scope.environment)
    .where("l.created_at", ">=", period.since)
    .where("p.price_currency", "=", period.currency)
    .groupBy("t.status")
    .execute();
  const figures: SaleFigures = { sold: 0, sending: 0, giveBack: 0, unfinished: 0 };
  for (const row of rows) {
    const value = row.base + row.fee;
    if (row.status === "DONE") figures.sold += value;
    else if (row.status === "FAILED") figures.giveBack += value;
    else {
      figures.sending += value;
      figures.unfinished += row.lines;
    }
  }
  return figures;
}

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
    .where("account_id", "=", scope.accountId)
    .where("environment", "=", scope.environment)
    .where("sale_id", "in", saleIds)
    .groupBy("sale_id")
    .execute();
  return new Map(rows.map((row) => [row.sale_id, row.prints]));
}

/** The names of whoever sold these sales. */
export async function staffNames(
  db: Db | Tx,
  accountId: string,
  staffIds: readonly string[],
): Promise<Map<string, string>> {
  if (staffIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("staff")
    .select(["staff_id", "name"])
    .where("account_id", "=", accountId)
    .where("staff_id", "in", staffIds)
    .execute();
  return new Map(rows.map((row) => [row.staff_id, row.name]));
}
