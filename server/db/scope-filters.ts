import type { Expression, SqlBool } from "kysely";
import type { Scope } from "./changes.ts";
import type { Scoped } from "./tables/columns.ts";

interface ScopedColumns<Prefix extends string> {
  (
    column: `${Prefix}account_id` | `${Prefix}environment`,
    is: "=",
    value: string,
  ): Expression<SqlBool>;
  and(filters: readonly Expression<SqlBool>[]): Expression<SqlBool>;
}

/**
 * `.where(inScope(scope))`: rows of the account and environment. With several joined tables, an
 * alias selects the table: `.where(inScope(scope, "s"))`.
 */
export function inScope(scope: Scope | Scoped): (eb: ScopedColumns<"">) => Expression<SqlBool>;
export function inScope<Alias extends string>(
  scope: Scope | Scoped,
  alias: Alias,
): (eb: ScopedColumns<`${Alias}.`>) => Expression<SqlBool>;
export function inScope(scope: Scope | Scoped, alias?: string) {
  const prefix = alias === undefined ? "" : `${alias}.`;
  const accountId = "accountId" in scope ? scope.accountId : scope.account_id;
  return (eb: ScopedColumns<string>) =>
    eb.and([
      eb(`${prefix}account_id`, "=", accountId),
      eb(`${prefix}environment`, "=", scope.environment),
    ]);
}

interface ScopedJoin<Left extends string, Right extends string, Id extends string> {
  onRef(
    left: `${Left}.account_id` | `${Left}.environment` | `${Left}.${Id}`,
    is: "=",
    right: `${Right}.account_id` | `${Right}.environment` | `${Right}.${Id}`,
  ): this;
}

/** `.innerJoin("sales as s", inSameScope("s", "l", "sale_id"))`: by account, environment and id. */
export function inSameScope<Left extends string, Right extends string, Id extends string>(
  left: Left,
  right: Right,
  id: Id,
) {
  return <Join extends ScopedJoin<Left, Right, Id>>(join: Join): Join =>
    join
      .onRef(`${left}.account_id`, "=", `${right}.account_id`)
      .onRef(`${left}.environment`, "=", `${right}.environment`)
      .onRef(`${left}.${id}`, "=", `${right}.${id}`);
}
