import { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

/**
 * What a row's checksum is of: everything in it that money and fulfilment depend on and that no
 * other rows of the books say again. A disk that changes it is found out by whoever compares.
 */
export const CHECKED = {
  offers: ["offer_id", "product_type", "brand", "country", "offer_json"],
  brands: ["brand", "brand_name", "detail_json"],
  promos: ["promo_id", "promo_json"],
  transactions: [
    ["transaction_id", "type", "product_type", "amount", "currency", "currency_divisor"],
    ["created_at", "training"],
  ].flat(),
  purchases: [
    ["transaction_id", "offer_id", "brand", "brand_name", "country", "recipient"],
    ["cost_base", "cost_fee", "price_base", "price_fee", "price_currency"],
    ["price_currency_divisor", "send", "send_currency", "send_currency_divisor"],
    ["value_type", "value", "offer_json", "input_json", "fulfilment_json"],
  ].flat(),
  sales: [
    ["sale_id", "sale_number", "staff_id", "approved_by", "currency", "currency_divisor"],
    ["total", "discount", "request_hash", "created_at", "shift_id", "training"],
  ].flat(),
  sale_lines: [
    ["sale_id", "position", "transaction_id", "product_type", "recipient", "price", "discount"],
    ["created_at"],
  ].flat(),
} satisfies Record<string, string[]>;

/** Tables whose rows carry a checksum. */
export type CheckedTable = keyof typeof CHECKED;
export const CHECKED_TABLES = Object.keys(CHECKED) as CheckedTable[];

/** Rows that are only ever written as a whole: what was there before does not count. */
const WRITTEN_WHOLE: ReadonlySet<string> = new Set(["offers", "brands", "promos"]);

/** Whether a row is as it was written, as a condition on it. */
export function isIntact(table: CheckedTable): string {
  return `${table}.checksum is ${expressionFor(table, table)}`;
}

/** A fault of the disk changed a row: nothing may be done by what it says. */
export class DamagedRow extends Error {
  readonly code = "TILLGATE_ROW_DAMAGED";
  constructor(table: CheckedTable, id: string) {
    super(`the row ${id} of ${table} is not as it was written`);
  }
}

/**
 * Has every write of this connection renew the checksums, whoever writes. A row that was damaged
 * before a part of it was written stays so. The triggers are the connection's own: they call a
 * function that other programs do not have.
 */
export async function keepChecksums(db: Db): Promise<void> {
  for (const table of CHECKED_TABLES) {
    const renew = `update ${table} set checksum = ${expressionFor(table, "new")}
      where rowid = new.rowid`;
    const condition = WRITTEN_WHOLE.has(table)
      ? ""
      : `when old.checksum is ${expressionFor(table, "old")}`;
    const columns = CHECKED[table].join(", ");
    await db.executeQuery(
      CompiledQuery.raw(`create temp trigger ${table}_checksum_insert after insert on main.${table}
        begin ${renew}; end`),
    );
    await db.executeQuery(
      CompiledQuery.raw(`create temp trigger ${table}_checksum_update
        after update of ${columns} on main.${table} ${condition} begin ${renew}; end`),
    );
  }
}

function expressionFor(table: CheckedTable, row: string): string {
  const columns = ["account_id", "environment", ...CHECKED[table]];
  return `row_checksum(${columns.map((column) => `${row}.${column}`).join(", ")})`;
}
