import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { Exact } from "../../lib/money.ts";

const COLUMNS = [
  "alter table sale_lines add column cost integer not null default 0 check (cost >= 0)",
  "alter table sale_lines add column rate text not null default '1'",
  "alter table sale_lines add column tax integer not null default 0 check (tax >= 0)",
  "alter table sales add column cash_rounding integer not null default 0",
  `create index z_reports_by_close
    on z_reports (account_id, environment, closed_at desc, z_number)`,
  `create index shift_movements_by_time
    on shift_movements (account_id, environment, recorded_at)`,
];

const BEFORE = `l.account_id, l.environment, l.sale_id, l.position, l.transaction_id, l.product_type,
  l.recipient, l.price, l.discount, l.created_at`;

/** What lines of one wallet cost come to in the currency that they were sold in. */
interface PricedCost {
  wallet_cost: number;
  currency: string;
  rate: string;
  divisor: number;
  wallet_divisor: number;
}

/**
 * What a line cost in the shop's money, the rate of that, and its tax stand on the line itself. Lines
 * from before have the rate of now, since theirs was not kept, and no tax, since there was none.
 */
export const migration047: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of COLUMNS) await sql.raw(statement).execute(db);
    await sql`create temp table line_costs (account_id text, wallet_cost integer, currency text,
      rate text, cost integer, primary key (account_id, wallet_cost, currency))`.execute(db);
    const { rows } = await sql<PricedCost & { account_id: string }>`
      select l.account_id, p.cost_base + p.cost_fee as wallet_cost, s.currency,
        coalesce(h.rate, '1') as rate, s.currency_divisor as divisor,
        a.wallet_currency_divisor as wallet_divisor
      from sale_lines l
      join sales s using (account_id, environment, sale_id)
      join purchases p on p.account_id = l.account_id and p.environment = l.environment
        and p.transaction_id = l.transaction_id
      join accounts a on a.account_id = l.account_id
      left join shops h on h.account_id = l.account_id and h.currency = s.currency
      group by l.account_id, wallet_cost, s.currency, s.currency_divisor`.execute(db);
    for (const row of rows) {
      await sql`insert into line_costs values (${row.account_id}, ${row.wallet_cost},
        ${row.currency}, ${row.rate}, ${costOf(row)}) on conflict do nothing`.execute(db);
    }
    await sql`update sale_lines as l set cost = k.cost, rate = k.rate,
        checksum = case when l.checksum is row_checksum(${sql.raw(BEFORE)})
          then row_checksum(${sql.raw(BEFORE)}, k.cost, k.rate, l.tax) else l.checksum end
      from line_costs k, sales s, purchases p
      where s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id
        and p.account_id = l.account_id and p.environment = l.environment
        and p.transaction_id = l.transaction_id and k.account_id = l.account_id
        and k.wallet_cost = p.cost_base + p.cost_fee and k.currency = s.currency`.execute(db);
    await sql`drop table line_costs`.execute(db);
  },
};

/** Rounded up to the smallest unit, as everything that is paid. */
function costOf({ wallet_cost, rate, divisor, wallet_divisor }: PricedCost): number {
  return new Exact(wallet_cost).mul(rate).mul(divisor).div(wallet_divisor).ceil().toNumber();
}
