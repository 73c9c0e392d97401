import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";

/** The lines (`l`) that were sold in a scope, each with its sale (`s`), for a query to go on from. */
function linesWithSales(db: Db | Tx, scope: Scope) {
  return db
    .selectFrom("sale_lines as l")
    .innerJoin("sales as s", (join) =>
      join
        .onRef("s.account_id", "=", "l.account_id")
        .onRef("s.environment", "=", "l.environment")
        .onRef("s.sale_id", "=", "l.sale_id"),
    )
    .where("l.account_id", "=", scope.accountId)
    .where("l.environment", "=", scope.environment);
}

/** The same with who sold them (`c`). */
export function linesWithClerks(db: Db | Tx, scope: Scope) {
  return linesWithSales(db, scope).innerJoin("staff as c", (join) =>
    join.onRef("c.account_id", "=", "s.account_id").onRef("c.staff_id", "=", "s.staff_id"),
  );
}

/** The same with the transaction (`t`) that became of each. */
export function linesWithTransactions(db: Db | Tx, scope: Scope) {
  return linesWithSales(db, scope).innerJoin("transactions as t", (join) =>
    join
      .onRef("t.account_id", "=", "l.account_id")
      .onRef("t.environment", "=", "l.environment")
      .onRef("t.transaction_id", "=", "l.transaction_id"),
  );
}

/** The same with what was handed back of each (`g`), where it was. */
export function linesWithGiveBacks(db: Db | Tx, scope: Scope) {
  return linesWithTransactions(db, scope).leftJoin("give_back_lines as g", (join) =>
    join
      .onRef("g.account_id", "=", "l.account_id")
      .onRef("g.environment", "=", "l.environment")
      .onRef("g.transaction_id", "=", "l.transaction_id"),
  );
}
