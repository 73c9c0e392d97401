import { sql } from "kysely";
import type { Figures } from "../contract/pos/figures.ts";
import type { Db } from "../db/database.ts";

/**
 * Calculates figures in the simplest way: reads every row, and sums the rows of a period one by
 * one. Shares no code with the gateway.
 */
export interface PlainLine {
  at: number;
  /** 1 for a sale, -1 for a failure. */
  sign: 1 | -1;
  /** 1 for the first line of its sale, else 0. */
  first: number;
  /** 1 for the last failed line of a sale without delivered lines, else 0. */
  lastFailed: number;
  price: number;
  discount: number;
  tax: number;
  cost: number;
  walletCost: number;
  FAMILY: string;
  BRAND: string;
  COUNTRY: string;
  CLERK: string;
  TILL: string;
  CHANNEL: string;
  /** Null for a sale without an API key. */
  KEY: string | null;
  PROVIDER: string;
}

export interface PlainTender {
  at: number;
  sign: 1 | -1;
  kind: string;
  /** The id of the first tender of a kind equals the kind. */
  tenderId: string;
  amount: number;
}

export interface PlainTrade {
  lines: PlainLine[];
  tenders: PlainTender[];
  /** Totals of sales with their cash rounding, and customer refunds as negative amounts. */
  due: { at: number; amount: number; rounding: number }[];
  /**
   * Customers' money for failed lines: positive when the shop owes it, negative when the shop
   * refunds it.
   */
  liability: { at: number; amount: number }[];
  /** Ledger amounts that the provider received (positive) or refunded (negative). */
  spent: { at: number; amount: number }[];
}

export async function readPlainTrade(db: Db): Promise<PlainTrade> {
  const of = `l.price, l.discount, l.tax, l.cost, t.amount as "walletCost", case l.position when 0 then 1 else 0 end as first,
    l.product_type as "FAMILY", p.brand as "BRAND", p.country as "COUNTRY", s.staff_id as "CLERK", s.till as "TILL",
    case s.till when 'FILE' then 'BULK' else 'TILL' end as "CHANNEL", null as "KEY",
    coalesce(p.provider_id, 'first') as "PROVIDER"`;
  const later = `select 1 from sale_lines o join transactions u using (account_id, environment, transaction_id)
    where o.environment = 'test' and o.sale_id = l.sale_id and (u.status <> 'FAILED'
      or u.finished_at > t.finished_at or (u.finished_at = t.finished_at and o.position > l.position))`;
  const joined = `join transactions t using (account_id, environment, transaction_id)
    join purchases p using (account_id, environment, transaction_id)
    join sales s using (account_id, environment, sale_id)`;
  const lines = await read<PlainLine>(
    db,
    `select s.created_at as at, 1 as sign, 0 as "lastFailed", ${of} from sale_lines l ${joined}
      where s.training = 0 and environment = 'test'
    union all select t.finished_at, -1, case when exists (${later}) then 0 else 1 end, ${of}
      from sale_lines l ${joined}
      where s.training = 0 and environment = 'test' and t.status = 'FAILED'`,
  );
  const apiLines = await readApiLines(db);
  const tenderId = `case t.tender_id when '' then t.kind else t.tender_id end as "tenderId"`;
  const tenders = await read<PlainTender>(
    db,
    `select s.created_at as at, 1 as sign, t.kind, ${tenderId}, t.amount from sale_tenders t
      join sales s using (account_id, environment, sale_id)
      where s.training = 0 and environment = 'test'
    union all select b.created_at, -1, t.kind, ${tenderId}, t.amount from customer_refund_tenders t
      join customer_refunds b using (account_id, environment, customer_refund_id)
      where environment = 'test'`,
  );
  const due = await read<PlainTrade["due"][number]>(
    db,
    `select created_at as at, total as amount, cash_rounding as rounding from sales
      where training = 0 and environment = 'test'
    union all select created_at, -amount, -cash_rounding from customer_refunds where environment = 'test'`,
  );
  const liability = await read<PlainTrade["liability"][number]>(
    db,
    `select t.finished_at as at, l.price - l.discount as amount from sale_lines l ${joined}
      where s.training = 0 and environment = 'test' and t.status = 'FAILED'
    union all select b.created_at, -g.amount from customer_refund_lines g
      join customer_refunds b using (account_id, environment, customer_refund_id)
      where environment = 'test'`,
  );
  const spent = await read<PlainTrade["spent"][number]>(
    db,
    `select posted_at as at, e.amount from ledger_entries e
      join ledger_postings using (posting_id, account_id, environment)
      where name = 'provider.spent' and environment = 'test'`,
  );
  const apiDue = apiLines.map(({ at, sign, price }) => ({ at, amount: sign * price, rounding: 0 }));
  return {
    lines: [...lines, ...apiLines],
    tenders,
    due: [...due, ...apiDue],
    liability,
    spent,
  };
}

/** Reads purchases that are no line of a sale. */
function readApiLines(db: Db): Promise<PlainLine[]> {
  const of = `1 as first, 1 as "lastFailed", p.price_base + p.price_fee as price, 0 as discount,
    p.shop_tax as tax, p.shop_cost as cost, t.amount as "walletCost", t.product_type as "FAMILY",
    p.brand as "BRAND", p.country as "COUNTRY", 'API' as "CLERK", 'API' as "TILL", 'API' as "CHANNEL",
    coalesce(p.key_id, 'UNKNOWN') as "KEY", coalesce(p.provider_id, 'first') as "PROVIDER"`;
  const from = `from transactions t join purchases p using (account_id, environment, transaction_id)
    where t.environment = 'test' and not exists (select 1 from sale_lines l
      where l.environment = 'test' and l.transaction_id = t.transaction_id)`;
  const refund = `(select min(u.finished_at) from refunds f
    join transactions u using (account_id, environment, transaction_id)
    where f.environment = 'test' and f.refunded_transaction_id = t.transaction_id
      and u.status = 'DONE')`;
  return read<PlainLine>(
    db,
    `select t.created_at as at, 1 as sign, ${of} ${from}
    union all select t.finished_at, -1, ${of} ${from} and t.status = 'FAILED'
    union all select ${refund}, -1, ${of} ${from} and ${refund} is not null`,
  );
}

async function read<Row>(db: Db, statement: string): Promise<Row[]> {
  return (await sql.raw<Row>(statement).execute(db)).rows;
}

export type Within = (at: number) => boolean;

function sumOf<Row extends { at: number }>(
  rows: readonly Row[],
  within: Within,
  amountOf: (row: Row) => number,
): number {
  let sum = 0;
  for (const row of rows) if (within(row.at)) sum += amountOf(row);
  return sum;
}

export function plainLines(lines: readonly PlainLine[], within: Within) {
  const sum = (amountOf: (line: PlainLine) => number) => sumOf(lines, within, amountOf);
  const sold = sum((line) => line.sign * (line.price - line.discount));
  const tax = sum((line) => line.sign * line.tax);
  const cost = sum((line) => line.sign * line.cost);
  const earned = sold - tax - cost;
  const count = sum((line) => line.sign);
  return {
    lines: count,
    linesFailed: sum((line) => (line.sign === -1 ? 1 : 0)),
    discount: sum((line) => line.sign * line.discount),
    sold,
    tax,
    cost,
    earned,
    ...(count >= 10 &&
      sold > tax && { marginPct: Math.round((earned * 1000) / (sold - tax)) / 10 }),
  };
}

export function plainFigures(trade: PlainTrade, within: Within): Figures {
  const { lines, tenders, due, liability } = trade;
  const sales = sumOf(lines, within, (line) =>
    line.sign === 1 ? Number(line.first) : -line.lastFailed,
  );
  const ofLines = plainLines(lines, within);
  const taken = sumOf(tenders, within, ({ sign, amount }) => sign * amount);
  return {
    ...ofLines,
    sales,
    ...(sales > 0 && { average: Math.round(ofLines.sold / sales) }),
    refundsDue: sumOf(liability, within, ({ amount }) => amount),
    refunded: sumOf(tenders, within, ({ sign, amount }) => (sign === -1 ? amount : 0)),
    cashRounding: sumOf(due, within, ({ rounding }) => rounding),
    taken,
    owed: sumOf(due, within, ({ amount, rounding }) => amount + rounding) - taken,
  };
}

export function plainTender({ tenders }: PlainTrade, within: Within, kind: string, sign: 1 | -1) {
  const meant = tenders.filter((one) => one.kind === kind && one.sign === sign);
  return sumOf(meant, within, ({ amount }) => amount);
}

export function plainTenders({ tenders }: PlainTrade, within: Within) {
  const ids = new Set(tenders.map(({ tenderId }) => tenderId));
  const sum = (id: string, sign: 1 | -1) =>
    sumOf(
      tenders.filter((one) => one.tenderId === id && one.sign === sign),
      within,
      ({ amount }) => amount,
    );
  const all = [...ids].map((id) => [id, { taken: sum(id, 1), refunded: sum(id, -1) }] as const);
  return Object.fromEntries(all.filter(([, { taken, refunded }]) => taken !== 0 || refunded !== 0));
}

export function plainSpent({ spent }: PlainTrade, within: Within): number {
  return sumOf(spent, within, ({ amount }) => amount);
}

/** Returns a function that converts a time to local time and business date. Caches the results. */
export function clockOf(
  timeZone: string,
  dayStartsAt = 0,
): (at: number) => { date: string; hour: number } {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const known = new Map<number, { date: string; hour: number }>();
  return (at) => {
    const shown = known.get(at);
    if (shown) return shown;
    const [shownDate = "", time = ""] = format.format(at).split(", ");
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    const isEarly = hour * 60 + minute < dayStartsAt;
    const read = { date: isEarly ? dayBefore(shownDate) : shownDate, hour };
    known.set(at, read);
    return read;
  };
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** Groups trade by a property of each entry's time, such as the day. */
export function groupTrade(trade: PlainTrade, groupOf: (at: number) => string) {
  const groups = new Map<string, PlainTrade>();
  const groupAt = (at: number): PlainTrade => {
    const key = groupOf(at);
    const group = groups.get(key) ?? { lines: [], tenders: [], due: [], liability: [], spent: [] };
    groups.set(key, group);
    return group;
  };
  for (const line of trade.lines) groupAt(line.at).lines.push(line);
  for (const tender of trade.tenders) groupAt(tender.at).tenders.push(tender);
  for (const due of trade.due) groupAt(due.at).due.push(due);
  for (const one of trade.liability) groupAt(one.at).liability.push(one);
  for (const spent of trade.spent) groupAt(spent.at).spent.push(spent);
  return groups;
}

export function joinTrade(groups: readonly PlainTrade[]): PlainTrade {
  return {
    lines: groups.flatMap(({ lines }) => lines),
    tenders: groups.flatMap(({ tenders }) => tenders),
    due: groups.flatMap(({ due }) => due),
    liability: groups.flatMap(({ liability }) => liability),
    spent: groups.flatMap(({ spent }) => spent),
  };
}
