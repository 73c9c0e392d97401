import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";

/**
 * Where sales are looked for. Those of training are apart from the shop's own in the test environment
 * (rules#training-apart).
 */
export interface SalesScope extends Scope {
  training: boolean;
}

/** The lines (`l`) that were sold in a scope, each with its sale (`s`), as the beginning of a query. */
export function linesWithSales(db: Db | Tx, scope: SalesScope) {
  return db
    .selectFrom("sale_lines as l")
    .innerJoin("sales as s", inSameScope("s", "l", "sale_id"))
    .where(inScope(scope, "l"))
    .where("s.training", "=", scope.training ? 1 : 0);
}

/** The same with the seller (`c`). */
export function linesWithClerks(db: Db | Tx, scope: SalesScope) {
  return linesWithSales(db, scope).innerJoin("staff as c", (join) =>
    join.onRef("c.account_id", "=", "s.account_id").onRef("c.staff_id", "=", "s.staff_id"),
  );
}

/** The same with the transaction (`t`) of each. */
export function linesWithTransactions(db: Db | Tx, scope: SalesScope) {
  return linesWithSales(db, scope).innerJoin(
    "transactions as t",
    inSameScope("t", "l", "transaction_id"),
  );
}

/** The same with the customer refund of each (`g`), where there was one. */
export function linesWithCustomerRefunds(db: Db | Tx, scope: SalesScope) {
  return linesWithTransactions(db, scope).leftJoin(
    "customer_refund_lines as g",
    inSameScope("g", "l", "transaction_id"),
  );
}
