import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { joinInOrder, jsonField, randomUpTo, word } from "../db/engine-words.ts";
import { closeNextDay } from "../db/figure-sums.ts";
import { DAY, HOUR } from "../lib/clock.ts";
import { withBalances } from "./running-balances.ts";

/**
 * Generates sales by copying all rows of real sales over several days, with a shift and a report
 * for each clerk and day. The audit finds no error in them.
 */
export interface TradePlan {
  /** Transaction ids of each sample: a sale, or purchases through `/v1`. */
  samples: readonly (readonly string[])[];
  /** Total number of copies; the samples are copied in rotation. */
  count: number;
  /** Start of the first day; later than all real sales. */
  start: number;
  days: number;
}

/**
 * Inlines an integer. As a parameter it would be a float, and a division would return a fraction.
 */
function whole(value: number): RawBuilder<number> {
  return sql.lit(value);
}

const SCOPE = sql`account_id = 'default' and environment = 'test'`;
const GIVEN = ["checksum", "inserted", "posting_id"];

export async function makeTrade(tx: Tx, plan: TradePlan): Promise<void> {
  await prepare(tx, plan);
  await addShifts(tx, plan);
  const shifted = (column: string) => sql`t.${sql.ref(column)} + m.at - s.base`;
  const ids = {
    transaction_id: sql`t.transaction_id || '-' || m.n`,
    sale_id: sql`m.sale_id`,
    created_at: shifted("created_at"),
  };
  const shift = sql`'shift-' || t.staff_id || '-' || m.day`;
  // Depends on `other`, so that a refund is made at a different till than its sale.
  const tillOf = (other: number) => sql`'till-' || ((m.n + ${whole(other)}) % 3)`;
  // The ICCID has twenty digits: 10^17 has eighteen.
  const iccid = sql`'89' || (${whole(10 ** 17)} + m.n)`;
  await copy(tx, "transactions", {
    ...ids,
    updated_at: shifted("updated_at"),
    finished_at: shifted("finished_at"),
  });
  await copy(tx, "purchases", {
    ...ids,
    provider_id: sql`case m.n % 3 when 0 then 'p2' end`,
    fulfilment_json: sql`coalesce(replace(t.fulfilment_json,
      ${jsonField("t.fulfilment_json", "esim", "iccid")}, ${iccid}), t.fulfilment_json)`,
  });
  await copy(tx, "esims", { ...ids, iccid });
  await copy(tx, "refunds", {
    ...ids,
    refunded_transaction_id: sql`t.refunded_transaction_id || '-' || m.n`,
  });
  await copy(tx, "transaction_log", { ...ids, logged_at: shifted("logged_at") });
  await copy(tx, "sales", {
    ...ids,
    sale_number: sql`m.sale_number`,
    shift_id: shift,
    till: tillOf(0),
  });
  await copy(tx, "sale_lines", { ...ids, returned_at: shifted("returned_at") });
  await copy(tx, "sale_tenders", ids);
  const refund = { ...ids, customer_refund_id: sql`m.customer_refund_id` };
  // Time of the refund: hours after the sale, for some on the next day.
  const given = sql`t.created_at + m.at - s.base + m.n % 5 * ${whole(7 * HOUR)}`;
  const end = whole(plan.start + plan.days * DAY);
  // At the end of the generated days at the latest, so that later real sales follow all refunds.
  const later = sql`case when ${given} < ${end} then ${given} else ${end} end`;
  await copy(tx, "customer_refunds", {
    ...refund,
    created_at: later,
    shift_id: shift,
    till: tillOf(1),
  });
  await copy(tx, "customer_refund_lines", refund);
  await copy(tx, "customer_refund_tenders", refund);
  await addPostings(tx);
  await sql`${updateStatistics}`.execute(tx);
  await closeDays(tx);
  await sql`${updateStatistics}`.execute(tx);
}

async function closeDays(tx: Tx): Promise<void> {
  while (await closeNextDay(tx, { accountId: "default", environment: "test" }));
}

/** PostgreSQL updates its statistics with a delay, and plans for few rows before that. */
const updateStatistics = word(({ hasChecksums }) => (hasChecksums ? "select 0" : "analyze"));

async function prepare(tx: Tx, { samples, count, start, days }: TradePlan): Promise<void> {
  await sql`create temp table sample_rows (kind bigint, transaction_id text,
    sale_id text, customer_refund_id text, base bigint)`.execute(tx);
  for (const [kind, transactionIds] of samples.entries()) {
    for (const id of transactionIds) {
      await sql`insert into sample_rows select ${whole(kind)}, t.transaction_id, l.sale_id,
          g.customer_refund_id,
          case when l.created_at < t.created_at then l.created_at else t.created_at end
        from transactions t left join sale_lines l using (account_id, environment, transaction_id)
        left join customer_refund_lines g using (account_id, environment, transaction_id)
        where t.account_id = 'default' and t.environment = 'test'
          and t.transaction_id = ${id}`.execute(tx);
    }
  }
  await sql`update sample_rows set base = (select min(base) from sample_rows other
    where other.kind = sample_rows.kind)`.execute(tx);
  const { highest } = await tx
    .selectFrom("sales")
    .select((eb) => eb.fn.max("sale_number").as("highest"))
    .executeTakeFirstOrThrow();
  await sql`create temp table made (n bigint primary key, kind bigint, day bigint, at bigint,
    sale_id text, customer_refund_id text, sale_number bigint)`.execute(tx);
  const day = sql`(n - 1) * ${whole(days)} / ${whole(count)}`;
  const part = sql`(n * 7919 % 10007) / 10007.0`;
  const clock = sql`case when n % 20 = 0 then ${part} * ${whole(DAY)}
    else ${whole(7 * HOUR)} + ${part} * ${whole(15 * HOUR)} end`;
  const id = sql`(${randomUpTo(2 ** 52 - 1)}) || '-' || n`;
  await sql`insert into made with recursive numbers(n) as
      (select cast(1 as bigint) union all select n + 1 from numbers where n < ${whole(count)})
    select n, n % ${whole(samples.length)}, ${day},
      ${whole(start)} + ${day} * ${whole(DAY)} + cast(${clock} as bigint),
      'sale-' || ${id}, 'refund-' || ${id}, ${whole(highest ?? 0)} + n
    from numbers`.execute(tx);
}

async function addShifts(tx: Tx, { start, days }: TradePlan): Promise<void> {
  const opened = sql`${whole(start)} + d * ${whole(DAY)}`;
  const closed = sql`${opened} + ${whole(DAY - 1)}`;
  const numbers = sql`with recursive days(d) as
    (select cast(0 as bigint) union all select d + 1 from days where d < ${whole(days - 1)})`;
  const id = sql`'shift-' || staff_id || '-' || d`;
  await sql`insert into shifts (account_id, environment, shift_id, staff_id, currency,
      currency_divisor, opened_at, opening_float, closed_at)
    ${numbers} select account_id, environment, ${id}, staff_id, currency, currency_divisor, ${opened},
      0, ${closed} from days, shifts where closed_at is not null and shift_id not like 'shift-%'`.execute(
    tx,
  );
  const reports = await tx.selectFrom("z_reports").selectAll().orderBy("z_number").execute();
  let number = reports.at(-1)?.z_number ?? 0;
  for (let day = 0; day < days; day++) {
    for (const report of reports) {
      number += 1;
      const shiftId = `shift-${report.staff_id}-${day}`;
      const said = JSON.parse(report.report_json);
      const shift = { ...said.shift, shiftId };
      const variance = (day % 7) * 10 - 30;
      const z = { ...said, zNumber: number, shift, variance };
      const closed_at = start + day * DAY + DAY - 1;
      const { account_id, environment, staff_id, request_hash } = report;
      const of = { account_id, environment, staff_id, request_hash };
      const made = { z_number: number, shift_id: shiftId, closed_at };
      const values = { ...of, ...made, report_json: JSON.stringify(z) };
      await tx.insertInto("z_reports").values(values).execute();
    }
  }
}

/** Column that identifies the sample of a table's rows; default is the transaction id. */
const KEYS: Record<string, string> = {
  sales: "sale_id",
  sale_tenders: "sale_id",
  customer_refunds: "customer_refund_id",
  customer_refund_tenders: "customer_refund_id",
};

/** Copies the rows of each sample (`t`) for every copy (`m`), with changes in some columns. */
async function copy(
  tx: Tx,
  table: string,
  changed: Record<string, RawBuilder<unknown>>,
): Promise<void> {
  const { rows } = await sql<object>`select * from ${sql.table(table)} limit 1`.execute(tx);
  const names = Object.keys(rows[0] ?? {}).filter((name) => !GIVEN.includes(name));
  if (names.length === 0) return;
  const values = names.map((name) => changed[name] ?? sql`t.${sql.ref(name)}`);
  const key = KEYS[table] ?? "transaction_id";
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from made m
    join (select distinct kind, base, ${sql.ref(key)} from sample_rows) s on s.kind = m.kind
    ${joinInOrder} ${sql.table(table)} t on t.account_id = 'default' and t.environment = 'test'
      and t.${sql.ref(key)} = s.${sql.ref(key)}
    order by m.n`.execute(tx);
}

/**
 * Advances a PostgreSQL sequence, which ignores inserted numbers. SQLite continues after the
 * highest.
 */
const numberOn = word(({ hasChecksums }) =>
  hasChecksums
    ? "select 0"
    : `select setval(pg_get_serial_sequence('ledger_postings', 'posting_id'), max(posting_id))
       from ledger_postings`,
);

async function addPostings(tx: Tx): Promise<void> {
  const { last } = await tx
    .selectFrom("ledger_postings")
    .select((eb) => eb.fn.max("posting_id").as("last"))
    .executeTakeFirstOrThrow();
  await sql`create temp table posted as
    select row_number() over (order by p.posted_at + m.at - s.base, m.n, p.posting_id)
        + ${whole(last ?? 0)} as posting_id, p.posting_id as sample,
      p.transaction_id || '-' || m.n as transaction_id, p.kind, p.amount,
      p.posted_at + m.at - s.base as posted_at
    from made m join sample_rows s on s.kind = m.kind
    join ledger_postings p on p.account_id = 'default' and p.environment = 'test'
      and p.transaction_id = s.transaction_id`.execute(tx);
  await sql`insert into ledger_postings (posting_id, account_id, environment, transaction_id, kind,
      amount, from_balance, to_balance, posted_at)
    select posting_id, 'default', 'test', transaction_id, kind, amount, from_balance, to_balance,
      posted_at
    from (${withBalances(sql`posted`)}) q order by posting_id`.execute(tx);
  await sql`${numberOn}`.execute(tx);
  await sql`update ledger_accounts set balance = (select balance_after from ledger_entries e
      where e.account_id = ledger_accounts.account_id and e.environment = ledger_accounts.environment
      and e.name = ledger_accounts.name order by posting_id desc limit 1)
    where ${SCOPE} and name <> 'world.funding'`.execute(tx);
  for (const table of ["made", "sample_rows", "posted"]) {
    await sql`drop table ${sql.raw(table)}`.execute(tx);
  }
}
