import { type Selectable, sql } from "kysely";
import { ENVIRONMENTS, type TransactionStatus } from "../../../contract/common.ts";
import type { Family } from "../../../contract/pos/families.ts";
import type { NumberCheck } from "../../../contract/pos/number-check.ts";
import type { SalesQuery } from "../../../contract/pos/sales.ts";
import type { Tender } from "../../../contract/pos/tenders.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { countRows, findInScope, inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { LineCost } from "../../catalog/prices/index.ts";
import { readOpeningTenders } from "../../shop/shop-tenders/index.ts";

export type SaleRow = Selectable<Tables["sales"]>;
export type SaleLineRow = Selectable<Tables["sale_lines"]>;

export type SaleTenderRow = Selectable<Tables["sale_tenders"]>;

export interface NewSale extends SalesScope {
  saleId: string;
  staffId: string;
  shiftId: string | undefined;
  approvedBy: string | undefined;
  currency: string;
  currencyDivisor: number;
  requestHash: string;
  lines: (NewSaleLine & LineCost & { checkedBy: NumberCheck | undefined })[];
  tenders: Tender[];
  cashRounding: number;
  cashStep: number;
  till: string;
  at: number;
}

/** Amounts are in minor units of the shop's currency. */
export interface NewSaleLine {
  transactionId: string;
  productType: Family;
  recipient: string;
  price: number;
  discount: number;
}

/** Stores a sale with the next sale number of its environment. */
export async function createSale(tx: Tx, sale: NewSale): Promise<void> {
  const scoped = { account_id: sale.accountId, environment: sale.environment };
  const { saleId: sale_id, lines, at: created_at } = sale;
  const { highest } = await tx
    .selectFrom("sales")
    .select((eb) => eb.fn.max("sale_number").as("highest"))
    .where(inScope(sale))
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("sales")
    .values({
      ...scoped,
      sale_id,
      sale_number: (highest ?? 0) + 1,
      staff_id: sale.staffId,
      approved_by: sale.approvedBy ?? null,
      currency: sale.currency,
      currency_divisor: sale.currencyDivisor,
      total: lines.reduce((sum, { price, discount }) => sum + price - discount, 0),
      discount: lines.reduce((sum, { discount }) => sum + discount, 0),
      request_hash: sale.requestHash,
      created_at,
      shift_id: sale.shiftId ?? null,
      training: sale.training ? 1 : 0,
      cash_rounding: sale.cashRounding,
      cash_step: sale.cashStep,
      till: sale.till,
    })
    .execute();
  await tx
    .insertInto("sale_lines")
    .values(
      lines.map(
        ({ transactionId, productType, taxKind, taxPercent, checkedBy, ...line }, position) => ({
          ...scoped,
          sale_id,
          position,
          transaction_id: transactionId,
          product_type: productType,
          created_at,
          tax_kind: taxKind,
          tax_percent: taxPercent,
          checked_by: checkedBy ?? null,
          ...line,
        }),
      ),
    )
    .execute();
  if (sale.tenders.length === 0) return;
  await tx
    .insertInto("sale_tenders")
    .values(
      sale.tenders.map(({ kind, tenderId, name, amount, tendered, reference }, position) => ({
        ...scoped,
        sale_id,
        position,
        kind,
        amount,
        tendered: tendered ?? null,
        reference: reference ?? null,
        tender_id: tenderId ?? "",
        tender_name: name ?? "",
      })),
    )
    .execute();
}

/** Finds a sale only in the scope's mode (training or not). */
export async function findSaleRow(
  db: Db | Tx,
  scope: SalesScope,
  saleId: string,
): Promise<SaleRow | undefined> {
  const row = await findSaleById(db, scope, saleId);
  return row?.training === (scope.training ? 1 : 0) ? row : undefined;
}

/** Finds a sale in either mode (training or not). */
export async function findSaleById(
  db: Db | Tx,
  scope: Scope,
  saleId: string,
): Promise<SaleRow | undefined> {
  return findInScope(db, "sales", scope, { sale_id: saleId });
}

/** Returns the id of each sale once. Purchases of integrators belong to no sale. */
export async function findSaleIds(
  db: Db | Tx,
  scope: SalesScope,
  transactionIds: readonly string[],
): Promise<string[]> {
  if (transactionIds.length === 0) return [];
  const rows = await linesWithSales(db, scope)
    .select("s.sale_id")
    .distinct()
    .where("l.transaction_id", "in", transactionIds)
    .execute();
  return rows.map((row) => row.sale_id);
}

export interface SaleOfTransaction {
  saleId: string;
  saleNumber: number;
  clerk: string;
}

export async function findSalesByTransaction(
  db: Db | Tx,
  scope: SalesScope,
  transactionIds: readonly string[],
): Promise<Map<string, SaleOfTransaction>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await linesWithClerks(db, scope)
    .select(["l.transaction_id", "s.sale_id", "s.sale_number", "c.name"])
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
  accountId: string,
  saleIds: readonly string[],
): Promise<Map<string, number>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("sales")
    .select(["sale_id", "sale_number"])
    .where("account_id", "=", accountId)
    .where("environment", "in", ENVIRONMENTS)
    .where("sale_id", "in", saleIds)
    .execute();
  return new Map(rows.map((row) => [row.sale_id, row.sale_number]));
}

export interface Period extends Omit<SalesQuery, "since"> {
  /** Time of the oldest listed sale, in milliseconds. */
  since: number;
}

/**
 * Lists sales, newest first.
 * @param period.only restricts the list to a person's own sales and all sales of today. A search by
 * sale number still finds any sale.
 */
export async function listSaleRows(
  db: Db | Tx,
  scope: SalesScope,
  period: Period & { only: { staffId: string; today: number } | undefined },
): Promise<{ total: number; rows: SaleRow[] }> {
  const { search, only } = period;
  let query = db
    .selectFrom("sales")
    .where(inScope(scope))
    .where("training", "=", scope.training ? 1 : 0)
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
  // A period that starts today has no sales to exclude.
  if (only !== undefined && period.since < only.today) {
    const { staffId, today } = only;
    query = query.where((eb) =>
      eb.or([
        eb("staff_id", "=", staffId),
        eb("created_at", ">=", today),
        ...(search === undefined ? [] : [eb("sale_number", "=", Number(search))]),
      ]),
    );
  }
  const total = await countRows(query);
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
    .where(inScope(scope))
    .where("sale_id", "in", saleIds)
    .orderBy("sale_id")
    .orderBy("position")
    .execute();
}

export async function listTenderRows(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<SaleTenderRow[]> {
  if (saleIds.length === 0) return [];
  return db
    .selectFrom("sale_tenders")
    .selectAll()
    .where(inScope(scope))
    .where("sale_id", "in", saleIds)
    .orderBy("sale_id")
    .orderBy("position")
    .execute();
}

/** Separates training from the shop's own sales in the test environment (rules#training-apart). */
export interface SalesScope extends Scope {
  training: boolean;
}

/** Selects lines (`l`) with sales (`s`). */
export function linesWithSales(db: Db | Tx, scope: SalesScope) {
  return db
    .selectFrom("sale_lines as l")
    .innerJoin("sales as s", inSameScope("s", "l", "sale_id"))
    .where(inScope(scope, "l"))
    .where("s.training", "=", scope.training ? 1 : 0);
}

/** Selects lines (`l`) with sales (`s`) and sellers (`c`). */
export function linesWithClerks(db: Db | Tx, scope: SalesScope) {
  return linesWithSales(db, scope).innerJoin("staff as c", (join) =>
    join.onRef("c.account_id", "=", "s.account_id").onRef("c.staff_id", "=", "s.staff_id"),
  );
}

/** Selects lines (`l`) with sales (`s`) and transactions (`t`). */
export function linesWithTransactions(db: Db | Tx, scope: SalesScope) {
  return linesWithSales(db, scope).innerJoin(
    "transactions as t",
    inSameScope("t", "l", "transaction_id"),
  );
}

/** A delivered line that was returned counts as FAILED. */
export function statusOrReturned() {
  return sql<TransactionStatus>`case when l.returned_at is null then t.status else 'FAILED' end`;
}

/** Like `linesWithTransactions`, with customer refunds (`g`) if there are any. */
export function linesWithCustomerRefunds(db: Db | Tx, scope: SalesScope) {
  return linesWithTransactions(db, scope).leftJoin(
    "customer_refund_lines as g",
    inSameScope("g", "l", "transaction_id"),
  );
}

export async function findDrawerSale(
  db: Db,
  scope: Scope,
  saleId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const sale = await findSaleRow(db, { ...scope, training: false }, saleId);
  if (!sale) return undefined;
  const opens = await readOpeningTenders(db, scope.accountId);
  const tenders = await listTenderRows(db, scope, [saleId]);
  const isOpening = tenders.some(
    ({ kind, tender_id, amount, tendered }) =>
      opens.has(tender_id || kind) && (tendered ?? amount) > 0,
  );
  return isOpening ? { staffId: sale.staff_id, at: sale.created_at } : undefined;
}
