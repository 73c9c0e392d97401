/**
 * Adds any number of sales to a database as copies of a few real ones: a thousand a day, up to now,
 * with all their rows, so that the audit finds no error.
 */
import { type RawBuilder, sql } from "kysely";
import { keepChecksums } from "../../server/db/checksums.ts";
import { openDatabase, type Tx } from "../../server/db/database.ts";
import { DAY } from "../../server/lib/clock.ts";
import { withBalances } from "../../server/testing/running-balances.ts";
import type { FirstSales } from "./first-sales.ts";

export const SALES_A_DAY = 1_000;
const AT_ONCE = 20_000;
/** Of this many sales, one fails, two are vouchers, and all others are delivered top-ups. */
const KINDS = 20;
/** Number of customers besides `REGULAR`, to whom every fiftieth sale is made. */
const CUSTOMERS = 7_000;
export const REGULAR = "+50250000000";

/** Inlines a number: as a parameter it would be a float, and a division would leave a fraction. */
const whole = (value: number) => sql.lit(value);
const SCOPE = sql`account_id = 'default' and environment = 'test'`;

export async function addSales(dataDir: string, sold: FirstSales, count: number): Promise<void> {
  const db = openDatabase(dataDir);
  try {
    keepChecksums(db);
    const now = Date.now();
    const days = Math.ceil(count / SALES_A_DAY);
    await db.transaction().execute(async (tx) => {
      await prepare(tx, sold);
      await addShifts(tx, { days, now });
    });
    for (let first = 1; first <= count; first += AT_ONCE) {
      const last = Math.min(count, first + AT_ONCE - 1);
      await db.transaction().execute((tx) => addSome(tx, { first, last, count, days, now }));
    }
  } finally {
    await db.destroy();
  }
}

async function prepare(tx: Tx, { delivered, failed, voucher }: FirstSales): Promise<void> {
  await sql`create temp table samples (kind integer primary key, transaction_id text, sale_id text,
    created_at integer)`.execute(tx);
  for (let kind = 0; kind < KINDS; kind++) {
    const like = { 0: failed, 7: voucher, 17: voucher }[kind] ?? delivered;
    await sql`insert into samples select ${kind}, transaction_id, sale_id, created_at
      from sale_lines where ${SCOPE} and transaction_id = ${like}`.execute(tx);
  }
  await sql`create temp table sample_postings as
    select s.kind as kind_of_sale, p.posting_id, p.kind, p.posted_at - s.created_at as after,
      row_number() over (partition by s.kind order by p.posting_id) - 1 as place
    from samples s join ledger_postings p using (transaction_id) where ${SCOPE}`.execute(tx);
  // A separate table with an index by transaction: the original would be scanned for every sale.
  await sql`create temp table sample_deliveries as
    select *, subject as transaction_id from webhook_deliveries
    where ${SCOPE} and subject in (select transaction_id from samples)`.execute(tx);
  await sql`create temp table made (n integer primary key, kind integer, transaction_id text,
    sale_id text, delivery_id text, at integer, shift_id text, recipient text)`.execute(tx);
}

async function addShifts(tx: Tx, { days, now }: { days: number; now: number }): Promise<void> {
  const opened = sql`${whole(now - days * DAY)} + d * ${whole(DAY)}`;
  const numbers = sql`with recursive days(d) as
    (select 0 union all select d + 1 from days where d < ${days - 1})`;
  await sql`insert into shifts (account_id, environment, shift_id, staff_id, currency,
      currency_divisor, opened_at, opening_float, closed_at)
    ${numbers} select account_id, environment, 'shift-' || d, staff_id, currency, currency_divisor,
      ${opened}, 0, ${opened} + ${whole(DAY - 1)} from days, shifts where closed_at is not null`.execute(
    tx,
  );
  await sql`insert into z_reports (account_id, environment, z_number, shift_id, staff_id, closed_at,
      request_hash, report_json)
    ${numbers} select account_id, environment, z_number + 1 + d, 'shift-' || d, staff_id,
      ${opened} + ${whole(DAY - 1)}, request_hash,
      json_set(report_json, '$.zNumber', z_number + 1 + d, '$.shift.shiftId', 'shift-' || d)
    from days, z_reports`.execute(tx);
}

interface Part {
  first: number;
  last: number;
  count: number;
  days: number;
  now: number;
}

async function addSome(tx: Tx, { first, last, count, days, now }: Part): Promise<void> {
  const step = DAY / SALES_A_DAY;
  const at = sql`cast(${now - count * step} + n * ${step} as integer)`;
  await sql`delete from made`.execute(tx);
  await sql`insert into made with recursive numbers(n) as
      (select ${whole(first)} union all select n + 1 from numbers where n < ${whole(last)})
    select n, n % ${whole(KINDS)}, lower(hex(randomblob(16))), lower(hex(randomblob(16))),
      'msg_' || lower(hex(randomblob(16))), ${at},
      'shift-' || min(${whole(days - 1)}, (n - 1) / ${whole(SALES_A_DAY)}),
      iif(n % 50 = 1, ${REGULAR}, '+5025' || (1000000 + (n * 7919) % ${whole(CUSTOMERS)})) from numbers`.execute(
    tx,
  );
  const made = { transaction_id: sql`m.transaction_id`, sale_id: sql`m.sale_id` };
  const shifted = (name: string) => sql`m.at + t.${sql.ref(name)} - s.created_at`;
  const times = { created_at: shifted("created_at"), updated_at: shifted("updated_at") };
  const recipient = sql`iif(t.recipient like '+%', m.recipient, t.recipient)`;
  await copy(tx, "transactions", { ...made, ...times, finished_at: shifted("finished_at") });
  await copy(tx, "purchases", { ...made, recipient });
  await copy(tx, "transaction_log", { ...made, logged_at: shifted("logged_at") });
  const { highest } = await tx
    .selectFrom("sales")
    .select((eb) => eb.fn.max("sale_number").as("highest"))
    .executeTakeFirstOrThrow();
  const sale = { ...made, shift_id: sql`m.shift_id`, created_at: sql`m.at` };
  await copy(tx, "sales", {
    ...sale,
    sale_number: sql`m.n - ${whole(first - 1)} + ${whole(highest ?? 0)}`,
  });
  await copy(tx, "sale_lines", { ...made, created_at: sql`m.at`, recipient });
  await copy(tx, "sale_tenders", made);
  const recent = sql`m.at > ${now - 90 * DAY}`;
  const id = { delivery_id: sql`m.delivery_id`, subject: sql`m.transaction_id` };
  const delivery = { ...made, ...id, created_at: sql`m.at` };
  await copy(tx, "webhook_deliveries", delivery, { of: "sample_deliveries", where: recent });
  await copyAttempts(tx, recent);
  await addPostings(tx);
  await sql`insert into prints select account_id, environment, 'SALE', m.sale_id, 0, staff_id, m.at
    from made m join sales using (sale_id) where ${SCOPE} and m.n % 2 = 0`.execute(tx);
  await sql`insert into audit_trail (account_id, staff_id, action, subject, detail_json, recorded_at)
    select account_id, staff_id, 'sale.discount', m.sale_id, '{}', m.at
    from made m join sales using (sale_id) where ${SCOPE} and m.n % 20 = 3`.execute(tx);
  await sql`insert into changes (account_id, environment, topic, subject, changed_at)
    select 'default', 'test', 'transaction', m.transaction_id, m.at
    from made m, (values (1), (2), (3)) where m.at > ${now - 7 * DAY}`.execute(tx);
}

const BY_SALE = ["sales", "sale_lines", "sale_tenders"];
const GIVEN = ["checksum", "sequence"];

/**
 * Copies the rows of the first sales (`t`) for every generated sale (`m`), with changes in some
 * columns.
 */
async function copy(
  tx: Tx,
  table: string,
  changed: Record<string, RawBuilder<unknown>>,
  { of = table, where = sql`true` }: { of?: string; where?: RawBuilder<unknown> } = {},
): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select name from pragma_table_info(${table})`.execute(tx);
  const names = rows.map(({ name }) => name).filter((name) => !GIVEN.includes(name));
  const values = names.map((name) => changed[name] ?? sql`t.${sql.ref(name)}`);
  const key = sql.ref(BY_SALE.includes(table) ? "sale_id" : "transaction_id");
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from made m join samples s on s.kind = m.kind
    cross join ${sql.table(of)} t on t.account_id = 'default' and t.environment = 'test'
      and t.${key} = s.${key}
    where ${where}`.execute(tx);
}

async function copyAttempts(tx: Tx, where: RawBuilder<unknown>): Promise<void> {
  await sql`insert into webhook_attempts
    select d.account_id, d.environment, m.delivery_id, a.position, m.at, m.at, a.status, a.answer,
      a.error
    from made m join samples s on s.kind = m.kind
    join sample_deliveries d on d.transaction_id = s.transaction_id
    join webhook_attempts a on a.account_id = d.account_id and a.environment = d.environment
      and a.delivery_id = d.delivery_id
    where ${where}`.execute(tx);
}

async function addPostings(tx: Tx): Promise<void> {
  const { last } = await tx
    .selectFrom("ledger_postings")
    .select((eb) => eb.fn.max("posting_id").as("last"))
    .executeTakeFirstOrThrow();
  const id = sql`${whole(last ?? 0)} + 2 * (m.n - (select min(n) from made)) + p.place + 1`;
  const posted = sql`(select ${id} as posting_id, m.transaction_id, p.kind, s.amount,
      m.at + p.after as posted_at
    from made m join sample_postings p on p.kind_of_sale = m.kind
    join ledger_postings s on s.posting_id = p.posting_id)`;
  await sql`insert into ledger_postings (posting_id, account_id, environment, transaction_id, kind,
      amount, from_balance, to_balance, posted_at)
    select posting_id, 'default', 'test', transaction_id, kind, amount, from_balance, to_balance,
      posted_at
    from (${withBalances(posted)}) q order by posting_id`.execute(tx);
  await sql`update ledger_accounts set balance = (select balance_after from ledger_entries e
      where e.account_id = ledger_accounts.account_id and e.environment = ledger_accounts.environment
      and e.name = ledger_accounts.name order by posting_id desc limit 1)
    where ${SCOPE} and name <> 'world.funding'`.execute(tx);
}
