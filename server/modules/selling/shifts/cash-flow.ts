import { sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { jsonField } from "../../../db/engine-words.ts";

/** Sums of cash movements, in minor units of the shop's currency. */
export interface CashFlow {
  payIns: number;
  payOuts: number;
  drops: number;
  floats: number;
  /** Counted cash, which goes into the safe. If the drawer was not counted, the expected amount. */
  closings: number;
  differences: number;
  /** Deposits minus withdrawals. */
  deposits: number;
}

/** Period that excludes `until`. */
interface Span {
  from: number;
  until: number;
}

/** Sums movements by the time of their records (rules#cash-followed). */
export async function sumCashFlow(
  db: Db | Tx,
  { accountId, environment }: Scope,
  { from, until }: Span,
): Promise<CashFlow> {
  const during = (at: string) => sql`account_id = ${accountId} and environment = ${environment}
      and ${sql.ref(at)} >= ${from} and ${sql.ref(at)} < ${until}`;
  const sumOf = (kind: string) => sql`coalesce(sum(amount) filter (where kind = ${kind}), 0)`;
  const reported = (name: string) => sql`cast(${jsonField("report_json", name)} as bigint)`;
  const { rows } = await sql<CashFlow>`
    select moved.*, opened.*, closed.* from
      (select ${sumOf("PAY_IN")} as "payIns", ${sumOf("PAY_OUT")} as "payOuts",
        ${sumOf("DROP")} as drops, ${sumOf("DEPOSIT")} - ${sumOf("WITHDRAWAL")} as deposits
        from cash_movements where ${during("recorded_at")}) moved,
      (select coalesce(sum(opening_float), 0) as floats
        from shifts where ${during("opened_at")}) opened,
      (select coalesce(sum(coalesce(${reported("counted")}, ${reported("expectedCash")})), 0)
          as closings, coalesce(sum(${reported("variance")}), 0) as differences
        from z_reports where ${during("closed_at")}) closed`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a sum without groups returned no row");
  return row;
}

export function addedToSafe({ drops, closings, floats, deposits }: CashFlow): number {
  return drops + closings - floats - deposits;
}
