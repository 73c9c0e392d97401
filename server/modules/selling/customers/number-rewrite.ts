import { sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { canonicalNumber } from "../../catalog/phone-lookup/index.ts";

const AT_ONCE = 500;

interface Books {
  db: Db;
  transactor: Transactor;
}

/**
 * Rewrites some of the numbers that an earlier version stored in an old form (rules#topup-canonical-number): in
 * sold lines, ended purchases, favourites and remembered carriers. A purchase under way keeps its form: it was sent
 * with it, and is sent again.
 * @returns whether there may be more
 */
export async function rewriteNumbers({ db, transactor }: Books): Promise<boolean> {
  const row = await db
    .selectFrom("environment_settings")
    .select(["account_id", "environment", "numbers_rewritten_until"])
    .where("numbers_rewritten_until", "is not", null)
    .limit(1)
    .executeTakeFirst();
  if (!row || row.numbers_rewritten_until === null) return false;
  const { account_id: accountId, environment, numbers_rewritten_until: after } = row;
  const scope = { accountId, environment };
  await transactor.transact(accountId, async (tx) => {
    const numbers = await listNumbers(tx, scope, after);
    for (const number of numbers) {
      const canonical = canonicalNumber(number);
      if (canonical !== number) await rewrite(tx, scope, number, canonical);
    }
    const isLast = numbers.length < AT_ONCE;
    await tx
      .updateTable("environment_settings")
      .set({ numbers_rewritten_until: isLast ? null : (numbers.at(-1) ?? null) })
      .where(inScope(scope))
      .execute();
  });
  return true;
}

/** The next stored numbers in the order of the database: an index of each table gives its own. */
async function listNumbers(tx: Tx, scope: Scope, after: string): Promise<string[]> {
  const { accountId, environment } = scope;
  const parts = (
    [
      ["sale_lines", "recipient"],
      ["purchases", "recipient"],
      ["favourites", "number"],
      ["remembered_carriers", "number"],
    ] as const
  ).map(
    ([table, column]) => sql`select number from (select distinct ${sql.ref(column)} as number
      from ${sql.table(table)}
      where account_id = ${accountId} and environment = ${environment}
        and ${sql.ref(column)} <> '' and ${sql.ref(column)} > ${after}
      order by 1 limit ${AT_ONCE}) as ${sql.ref(`of_${table}`)}`,
  );
  const { rows } = await sql<{ number: string }>`
    select number from (${sql.join(parts, sql` union `)}) as numbers
    order by number limit ${AT_ONCE}`.execute(tx);
  return rows.map(({ number }) => number);
}

async function rewrite(tx: Tx, scope: Scope, number: string, canonical: string): Promise<void> {
  await tx
    .updateTable("sale_lines")
    .set({ recipient: canonical })
    .where(inScope(scope))
    .where("recipient", "=", number)
    .execute();
  await tx
    .updateTable("purchases")
    .set({ recipient: canonical })
    .where(inScope(scope))
    .where("recipient", "=", number)
    .where("transaction_id", "in", (ended) =>
      ended
        .selectFrom("transactions as t")
        .innerJoin("purchases as p", (join) =>
          join
            .onRef("p.account_id", "=", "t.account_id")
            .onRef("p.environment", "=", "t.environment")
            .onRef("p.transaction_id", "=", "t.transaction_id"),
        )
        .select("t.transaction_id")
        .where(inScope(scope, "p"))
        .where("p.recipient", "=", number)
        .where("t.finished_at", "is not", null),
    )
    .execute();
  await rewriteKept(tx, scope, number, canonical);
}

/** A favourite of the canonical number keeps its name; the carrier that was seen last is remembered. */
async function rewriteKept(tx: Tx, scope: Scope, number: string, canonical: string): Promise<void> {
  const key = { account_id: scope.accountId, environment: scope.environment, number: canonical };
  const favourite = await tx
    .deleteFrom("favourites")
    .where(inScope(scope))
    .where("number", "=", number)
    .returning(["name", "created_at"])
    .executeTakeFirst();
  if (favourite) {
    await tx
      .insertInto("favourites")
      .values({ ...key, ...favourite })
      .onConflict((conflict) =>
        conflict.columns(["account_id", "environment", "number"]).doNothing(),
      )
      .execute();
  }
  const carrier = await tx
    .deleteFrom("remembered_carriers")
    .where(inScope(scope))
    .where("number", "=", number)
    .returning(["brand", "updated_at"])
    .executeTakeFirst();
  if (carrier) {
    await tx
      .insertInto("remembered_carriers")
      .values({ ...key, ...carrier })
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "environment", "number"])
          .doUpdateSet(carrier)
          .where("remembered_carriers.updated_at", "<", carrier.updated_at),
      )
      .execute();
  }
}
