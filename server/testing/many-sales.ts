import { sql } from "kysely";
import type { Tx } from "../db/database.ts";

/**
 * Copies a delivered purchase of the test environment many times, with its log and ledger entries,
 * to make databases as large as after years of sales.
 */
export async function repeatPurchase(tx: Tx, transactionId: string, times: number): Promise<void> {
  const { cost } = await tx
    .selectFrom("transactions")
    .select("amount as cost")
    .where("environment", "=", "test")
    .where("transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  const numbers = sql`with recursive numbers(n) as
    (select 1 union all select n + 1 from numbers where n < ${times})`;
  for (const table of ["transactions", "purchases", "transaction_log"]) {
    const columns = await columnsOf(tx, table);
    const values = columns.map((name) =>
      name === "transaction_id" ? sql`transaction_id || '-' || n` : sql.ref(name),
    );
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      ${numbers} select ${sql.join(values)} from numbers, ${sql.table(table)}
      where environment = 'test' and transaction_id = ${transactionId}`.execute(tx);
  }
  await repeatPostings(tx, { transactionId, times, cost });
}

async function repeatPostings(
  tx: Tx,
  { transactionId, times, cost }: { transactionId: string; times: number; cost: number },
): Promise<void> {
  const { last } = await tx
    .selectFrom("ledger_postings")
    .select((eb) => eb.fn.max("posting_id").as("last"))
    .executeTakeFirstOrThrow();
  const balance = (name: string) => sql`(select balance from ledger_accounts
    where environment = 'test' and name = ${name})`;
  const [available, held] = [balance("wallet.available"), balance("wallet.held")];
  const postings = [
    { kind: "HOLD", offset: -1, from: sql`${available} - ${cost} * n`, to: sql`${held} + ${cost}` },
    {
      kind: "CAPTURE",
      offset: 0,
      from: held,
      to: sql`${balance("provider.spent")} + ${cost} * n`,
    },
  ];
  for (const { kind, offset, from, to } of postings) {
    await sql`insert into ledger_postings (posting_id, account_id, environment, transaction_id, kind,
        amount, from_balance, to_balance, posted_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${times})
      select ${last} + 2 * n + ${offset}, account_id, environment, transaction_id || '-' || n, kind,
        amount, ${from}, ${to}, posted_at
      from numbers, ledger_postings
      where environment = 'test' and transaction_id = ${transactionId} and kind = ${kind}
      order by n`.execute(tx);
  }
  for (const [name, sum] of [
    ["wallet.available", -cost * times],
    ["provider.spent", cost * times],
  ] as const) {
    await sql`update ledger_accounts set balance = balance + ${sum}
      where environment = 'test' and name = ${name}`.execute(tx);
  }
}

async function columnsOf(tx: Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table})`.execute(tx);
  return rows.map(({ name }) => name).filter((name) => name !== "checksum");
}
