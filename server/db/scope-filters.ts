import type { Expression, Kysely, Selectable, SelectQueryBuilder, SqlBool } from "kysely";
import type { Scope } from "./changes.ts";
import type { Db, Tx } from "./database.ts";
import type { Scoped } from "./tables/columns.ts";
import type { Tables } from "./tables.ts";

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

interface ScopedJoin<Left extends string, Right extends string> {
  onRef(left: Left, is: "=", right: Right): this;
}

/**
 * `.innerJoin("sales as s", inSameScope("s", "l", "sale_id"))`: by account, environment and id.
 * @param rightId name of the id in the right table, if it differs
 */
export function inSameScope<
  Left extends string,
  Right extends string,
  Id extends string,
  RightId extends string = Id,
>(left: Left, right: Right, id: Id, rightId: RightId | Id = id) {
  type LeftColumn = `${Left}.${"account_id" | "environment" | Id}`;
  type RightColumn = `${Right}.${"account_id" | "environment" | RightId}`;
  return <Join extends ScopedJoin<LeftColumn, RightColumn>>(join: Join): Join =>
    join
      .onRef(`${left}.account_id`, "=", `${right}.account_id`)
      .onRef(`${left}.environment`, "=", `${right}.environment`)
      .onRef(`${left}.${id}`, "=", `${right}.${rightId as RightId}`);
}

type ScopedTable = {
  [Name in keyof Tables]: Tables[Name] extends Scoped ? Name : never;
}[keyof Tables];

/** Finds the row with an id, such as `{ sale_id: saleId }`, in an account and environment. */
export async function findInScope<Name extends ScopedTable>(
  db: Db | Tx,
  table: Name,
  scope: Scope,
  id: Partial<Selectable<Tables[Name]>>,
): Promise<Selectable<Tables[Name]> | undefined> {
  let query = (db as unknown as Kysely<Record<string, Scoped & Record<string, unknown>>>)
    .selectFrom(table as string)
    .selectAll()
    .where(inScope(scope));
  for (const [column, value] of Object.entries(id)) query = query.where(column, "=", value);
  const row = await query.executeTakeFirst();
  return row as Selectable<Tables[Name]> | undefined;
}

/** Counts the rows of a query that selects nothing yet. */
export async function countRows<All, Names extends keyof All, Row>(
  query: SelectQueryBuilder<All, Names, Row>,
): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll<number>().as("total"));
  return ((await counted.executeTakeFirstOrThrow()) as { total: number }).total;
}
