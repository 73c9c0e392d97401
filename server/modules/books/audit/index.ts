import { type RawBuilder, sql } from "kysely";
import type { Environment } from "../../../contract/common.ts";
import { CHECKED_TABLES, isIntact } from "../../../db/checksums.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import {
  brokenReferences,
  damage,
  isFile,
  jsonField,
  rowNumber,
} from "../../../db/engine-words.ts";
import { FIGURE_SUM_VIOLATIONS } from "../../../db/figure-sums.ts";
import { RETURNED_LINE_VIOLATIONS } from "../../../db/returned-lines.ts";
import { findSchemaDifferences } from "../../../db/sqlite/schema-check.ts";
import { pause } from "../../../lib/clock.ts";

/** Each query finds the rows that violate the invariant. */
const SALE_INVARIANTS: Record<string, string> = {
  "every line of a sale costs what its purchase does": `
    select l.transaction_id || ' is sold for ' || l.price || ', its purchase costs '
      || (p.price_base + p.price_fee) as violation
    from sale_lines l join purchases p using (account_id, environment, transaction_id)
    where l.price <> p.price_base + p.price_fee`,

  // Floating point is exact enough to tell adjacent minor units apart.
  "the tax of a line is what its rate makes of it": `
    select l.transaction_id || ' has a tax of ' || l.tax || ', ' || l.tax_kind || ' '
      || l.tax_percent || ' %' as violation
    from (select *, case when tax_kind <> 'ON_MARGIN' then price - discount
        when price - discount > cost then price - discount - cost else 0 end as taxed,
        cast(tax_percent as double precision) as percent from sale_lines) l
    where case when l.tax_kind = 'NONE' then l.tax <> 0
      else abs(l.tax - l.taxed * l.percent / (100 + l.percent)) > 0.500001 end
    -- After a move to another provider, the tax is that of the cost at which the line was sold.
    and not (l.tax_kind = 'ON_MARGIN' and exists (select 1 from purchases p
      where p.account_id = l.account_id and p.environment = l.environment
      and p.transaction_id = l.transaction_id and (p.refused_by is not null
        or exists (select 1 from transaction_log g where g.account_id = p.account_id
          and g.environment = p.environment and g.transaction_id = p.transaction_id
          and g.message like '%; moved to %'))))`,

  "every sale is paid in full and has its lines": `
    select s.sale_id || ' totals ' || s.total || ', its lines ' || coalesce(sum(l.price
      - l.discount), 0) || ', its tenders ' || coalesce((select sum(t.amount) from sale_tenders t
        where t.account_id = s.account_id and t.environment = s.environment
        and t.sale_id = s.sale_id), 0) as violation
    from sales s left join sale_lines l using (account_id, environment, sale_id)
    group by s.account_id, s.environment, s.sale_id
    having s.total <> coalesce(sum(l.price - l.discount), 0)
      or s.discount <> coalesce(sum(l.discount), 0)
      or s.total + s.cash_rounding <> coalesce((select sum(t.amount) from sale_tenders t
        where t.account_id = s.account_id and t.environment = s.environment
        and t.sale_id = s.sale_id), 0)`,

  "cash is rounded as far as it was taken, and goes back as it was rounded": `
    with paid as (
      select s.*, (select cast(sum(t.amount) as bigint) from sale_tenders t where t.account_id = s.account_id
          and t.environment = s.environment and t.sale_id = s.sale_id and t.kind = 'CASH')
          - s.cash_rounding as cash,
        (select cast(coalesce(sum(b.amount), 0) as bigint) from customer_refunds b
          where b.account_id = s.account_id and b.environment = s.environment
          and b.sale_id = s.sale_id) as back,
        (select coalesce(sum(b.cash_rounding), 0) from customer_refunds b
          where b.account_id = s.account_id and b.environment = s.environment
          and b.sale_id = s.sale_id) as rounding_back
      from sales s where s.cash_step > 0 or s.cash_rounding <> 0),
    compared as (select *, case when cash < back then cash else back end as cash_back from paid)
    select sale_id || ' has ' || coalesce(cast(cash as text), 'no') || ' in cash rounded by ' || cash_rounding
      || ' to ' || cash_step || ', and by ' || rounding_back || ' of ' || back || ' that went back'
      as violation
    from compared where case when cash is null or cash_step = 0
      then cash_rounding <> 0 or rounding_back <> 0
      else cash_rounding <> (2 * cash + cash_step) / (2 * cash_step) * cash_step - cash
      or rounding_back <> (2 * cash_back + cash_step) / (2 * cash_step) * cash_step
        - cash_back end`,

  "what was handed back was paid for lines that were returned": `
    select g.transaction_id || ' had ' || g.amount || ' handed back, was paid '
      || (l.price - l.discount) || ' and is ' || t.status as violation
    from customer_refund_lines g
    join sale_lines l using (account_id, environment, transaction_id)
    join transactions t using (account_id, environment, transaction_id)
    join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id
    where (l.returned_at is null and not (s.training = 1 and t.status = 'FAILED')) or g.amount <> l.price - l.discount or g.sale_id <> l.sale_id
    union all
    select b.customer_refund_id || ' is ' || b.amount || ', its lines ' || coalesce(sum(g.amount), 0)
    from customer_refunds b left join customer_refund_lines g using (account_id, environment, customer_refund_id)
    group by b.account_id, b.environment, b.customer_refund_id
    having b.amount <> coalesce(sum(g.amount), 0)
    union all
    select b.customer_refund_id || ' is ' || b.amount || ' rounded by ' || b.cash_rounding
      || ', its tenders ' || coalesce(sum(t.amount), 0)
    from customer_refunds b left join customer_refund_tenders t using (account_id, environment, customer_refund_id)
    group by b.account_id, b.environment, b.customer_refund_id
    having b.amount + b.cash_rounding <> coalesce(sum(t.amount), 0)`,
};

interface AuditCheck {
  name: string;
  violations: string[];
}

interface AuditFigures {
  environment: Environment;
  currency: string;
  currencyDivisor: number;
  available: number;
  held: number;
  funded: number;
  spent: number;
  transactions: number;
  unfinished: number;
  postings: number;
}

export interface AuditReport {
  clean: boolean;
  figures: AuditFigures[];
  checks: AuditCheck[];
}

/** Lists the violations of all checks, each with the name of its check. */
export function listProblems({ checks }: AuditReport): string[] {
  return checks.flatMap(({ name, violations }) =>
    violations.map((violation) => `${name}: ${violation}`),
  );
}

const SHOWN_VIOLATIONS = 10;
const ROWS_AT_ONCE = 256;

/** Each query selects a text for every row that violates the invariant. */
const INVARIANTS: Record<string, string | RawBuilder<unknown>> = {
  "every posting is of a transaction": `
    select 'posting ' || p.posting_id || ' is of no transaction' as violation
    from ledger_postings p left join transactions t using (account_id, environment, transaction_id)
    where t.status is null`,

  "every balance is the sum of its entries": `
    select a.environment || ' ' || a.name || ' is ' || a.balance || ', its entries add up to '
      || coalesce(e.total, 0) as violation
    from ledger_accounts a left join (select account_id, environment, name, sum(amount) as total
        from ledger_entries group by account_id, environment, name) e
      on e.account_id = a.account_id and e.environment = a.environment and e.name = a.name
    where a.balance <> coalesce(e.total, 0) and a.name not like 'wallet.at.%'`,

  "each entry carries the balance after it": `
    select 'posting ' || posting_id || ' ' || name || ' says ' || balance_after || ', is '
      || running as violation
    from (select posting_id, name, balance_after, sum(amount) over (
        partition by account_id, environment, name order by posting_id) as running
      from ledger_entries)
    where balance_after <> running`,

  "no wallet account was ever below zero": `
    select 'posting ' || posting_id || ' left ' || name || ' at ' || balance_after as violation
    from ledger_entries where name like 'wallet.%' and balance_after < 0`,

  "what is held is what unfinished purchases cost": `
    select a.environment || ' holds ' || a.balance || ', unfinished purchases cost '
      || coalesce(sum(t.amount), 0) as violation
    from ledger_accounts a left join transactions t
      on t.account_id = a.account_id and t.environment = a.environment
      and t.type = 'DEBIT' and t.status in ('AUTHORIZED', 'IN_PROGRESS') and t.training = 0
    where a.name = 'wallet.held'
    group by a.account_id, a.environment, a.balance
    having a.balance <> coalesce(sum(t.amount), 0)`,

  "the postings of every purchase fit its status": `
    select transaction_id || ' is ' || status || ' with ' || coalesce(kinds, 'no postings')
      as violation
    from (select *, replace(kinds || '+', 'RELEASE+HOLD+', '') as last_kinds from (
      select t.transaction_id, t.status, t.training,
        (select string_agg(p.kind, '+' order by p.posting_id) from ledger_postings p
          where p.account_id = t.account_id and p.environment = t.environment
          and p.transaction_id = t.transaction_id) as kinds
      from transactions t join purchases using (account_id, environment, transaction_id)))
    -- A purchase that moved to another provider has a RELEASE and a HOLD more.
    where training = 0 and case status
      when 'DONE' then coalesce(last_kinds, '') <> 'HOLD+CAPTURE+'
      when 'FAILED' then coalesce(last_kinds, '') not in ('', 'HOLD+RELEASE+')
      when 'ACCEPTED' then kinds is not null
      when 'PENDING' then kinds is not null
      else coalesce(last_kinds, '') <> 'HOLD+' end`,

  "what was sold in training moves no money and is in no shift": `
    select t.transaction_id || ' was sold in training, and ' || p.kind || ' was posted' as violation
    from transactions t join ledger_postings p using (account_id, environment, transaction_id)
    where t.training = 1
    union all
    select s.sale_id || ' was sold in training, and is in the shift ' || s.shift_id
    from sales s where s.training = 1 and s.shift_id is not null
    union all
    select b.customer_refund_id || ' was given back in training, out of the shift ' || b.shift_id
    from customer_refunds b join sales s using (account_id, environment, sale_id)
    where s.training = 1 and b.shift_id is not null
    union all
    select l.transaction_id || ' is training or not as its sale is not'
    from sale_lines l
    join sales s using (account_id, environment, sale_id)
    join transactions t using (account_id, environment, transaction_id)
    where s.training <> t.training
    union all
    select t.transaction_id || ' is training in the live environment'
    from transactions t where t.training = 1 and t.environment <> 'test'`,

  "a refund is booked if and only if it is done, and refunds a purchase that is": `
    select t.transaction_id || ' is ' || t.status || ' with ' || coalesce(p.kind, 'no posting')
      || ', of a purchase that is ' || coalesce(r.status, 'missing') as violation
    from transactions t
    left join refunds f using (account_id, environment, transaction_id)
    left join transactions r on r.account_id = f.account_id and r.environment = f.environment
      and r.transaction_id = f.refunded_transaction_id
    left join ledger_postings p on p.account_id = t.account_id and p.environment = t.environment
      and p.transaction_id = t.transaction_id
    where t.product_type = 'REFUND' and ((t.status = 'DONE') <> (coalesce(p.kind, '') = 'REFUND')
      or r.status is distinct from 'DONE' or t.amount <> r.amount
      or (t.status = 'FAILED') <> (f.failed = 1))`,

  "every unfinished refund has a job that will take it on": `
    select t.transaction_id || ' is ' || t.status || ' without a job' as violation
    from transactions t where t.product_type = 'REFUND' and t.finished_at is null
    and not exists (select 1 from jobs where kind = 'refund.advance'
      and subject = t.account_id || '/' || t.environment || '/' || t.transaction_id)`,

  "every eSIM that was issued is known by its ICCID": sql`
    select t.transaction_id || ' issued an eSIM that nobody owns' as violation
    from transactions t join purchases p using (account_id, environment, transaction_id)
    where t.product_type = 'ESIM' and t.status = 'DONE' and not exists (select 1 from esims e
      where e.account_id = t.account_id and e.environment = t.environment
      and e.iccid = ${jsonField("p.fulfilment_json", "esim", "iccid")})
    -- A provider's answer may lack a readable ICCID. That deviation is stored.
    and not (${jsonField("p.fulfilment_json", "esim", "iccid")} = ''
      and coalesce(p.deviations_json, '') like '%confirmation%')`,

  "every posting moves the amount of its transaction": `
    select t.transaction_id || ' is of ' || t.amount || ', ' || p.kind || ' moved ' || p.amount
      as violation
    from ledger_postings p
    join transactions t using (account_id, environment, transaction_id)
    where abs(p.amount) <> t.amount
    -- An earlier leg has the cost of the provider that refused: its hold was released.
    and not (exists (select 1 from ledger_postings n where n.account_id = p.account_id
        and n.environment = p.environment and n.transaction_id = p.transaction_id
        and n.kind = 'HOLD' and n.leg = p.leg + 1)
      and exists (select 1 from ledger_postings o where o.account_id = p.account_id
        and o.environment = p.environment and o.transaction_id = p.transaction_id
        and o.kind = case p.kind when 'HOLD' then 'RELEASE' else 'HOLD' end
        and o.leg = p.leg and o.amount = p.amount and p.kind in ('HOLD', 'RELEASE')))`,

  "the last log entry of every transaction is its status": `
    select t.transaction_id || ' is ' || t.status || ', its log ends with '
      || coalesce(l.status, 'nothing') as violation
    from transactions t left join transaction_log l
      on l.account_id = t.account_id and l.environment = t.environment
      and l.transaction_id = t.transaction_id
      and l.position = (select max(position) from transaction_log m
        where m.account_id = t.account_id and m.environment = t.environment
        and m.transaction_id = t.transaction_id)
    where l.status is null or l.status <> t.status`,

  "every unfinished purchase has a job that will take it on": `
    select t.transaction_id || ' is ' || t.status || ' without a job' as violation
    from transactions t join purchases using (account_id, environment, transaction_id)
    where t.finished_at is null and not exists (select 1 from jobs
      where kind = 'purchase.advance'
      and subject = t.account_id || '/' || t.environment || '/' || t.transaction_id)`,

  "a purchase is confirmed if and only if it is done": `
    select t.transaction_id || ' is ' || t.status as violation
    from transactions t join purchases p using (account_id, environment, transaction_id)
    where (t.status = 'DONE') <> (p.fulfilment_json is not null)`,

  ...SALE_INVARIANTS,

  "the figures of closed days are those of the sales": FIGURE_SUM_VIOLATIONS,

  "a line is returned and owed as its purchase and refunds say": RETURNED_LINE_VIOLATIONS,

  "every sale is in a shift of who sold it": `
    select s.sale_id || ' is in a shift of somebody else' as violation
    from sales s left join shifts h using (account_id, environment, shift_id)
    where s.shift_id is not null and h.staff_id is distinct from s.staff_id`,

  "a shift is closed if and only if it has its report": sql`
    select h.shift_id || case when z.z_number is null
      then ' is closed without a report' else ' is open with one' end
      as violation
    from shifts h left join z_reports z using (account_id, environment, shift_id)
    where (h.closed_at is null) <> (z.z_number is null)
      or z.staff_id <> h.staff_id or z.closed_at <> h.closed_at
      or cast(${jsonField("z.report_json", "zNumber")} as bigint) <> z.z_number`,

  "the reports of shifts are numbered without a gap": `
    select environment || ' has ' || count(*) || ' up to number ' || max(z_number) as violation
    from z_reports group by account_id, environment
    having min(z_number) <> 1 or max(z_number) <> count(*)`,

  "every report that was asked for has a job that will write it": `
    select report_id || ' waits without a job' as violation
    from reports r where status = 'REQUESTED' and not exists (select 1 from jobs
      where kind = 'report.generate'
      and subject = r.account_id || '/' || r.environment || '/' || r.report_id)`,

  "what was stored is as it was written": sql.join(
    CHECKED_TABLES.map(
      (table) => sql`
    select ${sql.lit(table)} || ' ' || ${rowNumber} || ' was changed by something else than Tillgate'
      as violation
    from ${sql.table(table)} where not (${isIntact(table)})`,
    ),
    sql` union all `,
  ),

  "no entry of the audit trail was removed": `
    select 'the audit trail of ' || coalesce(c.account_id, t.account_id) || ' has '
      || coalesce(t.entries, 0) || ' entries, ' || coalesce(c.entries, 0) || ' were written' as violation
    from audit_counts c
    full join (select account_id, count(*) as entries from audit_trail group by account_id) t
      on t.account_id = c.account_id
    where c.entries is distinct from t.entries`,

  "the database file is whole": damage,

  "every reference leads somewhere": brokenReferences,
};

/**
 * Lists the first few violations and counts all others, because a damaged table may contain a
 * million.
 */
async function listViolations(
  snapshot: Db,
  query: string | RawBuilder<unknown>,
): Promise<string[]> {
  const shown: string[] = [];
  let count = 0;
  const compiled = sql<{
    violation: string;
  }>`${typeof query === "string" ? sql.raw(query) : query}`.compile(snapshot);
  for await (const { rows } of snapshot.getExecutor().stream(compiled, ROWS_AT_ONCE)) {
    count += rows.length;
    const room = SHOWN_VIOLATIONS - shown.length;
    shown.push(...rows.slice(0, room).map(({ violation }) => violation));
  }
  return count > shown.length ? [...shown, `and ${count - shown.length} more`] : shown;
}

/**
 * Checks every invariant of the books (rules#ledger-audited) in a snapshot. Writes nothing.
 * @param isOver called between invariants; cancels the audit if it returns true
 * @throws if the audit was cancelled
 */
export async function auditBooks(db: Db, isOver = () => false): Promise<AuditReport> {
  return readSnapshot(db, (snapshot) => auditSnapshot(snapshot, isOver));
}

export async function auditSnapshot(snapshot: Db, isOver = () => false): Promise<AuditReport> {
  const checks: AuditCheck[] = [];
  for (const [name, query] of Object.entries(INVARIANTS)) {
    // A gateway that audits its backup serves requests between the queries.
    await pause();
    if (isOver()) throw new Error("the audit was stopped");
    checks.push({ name, violations: await listViolations(snapshot, query) });
  }
  if (isFile(snapshot)) {
    const violations = await findSchemaDifferences(snapshot);
    checks.push({ name: "the tables and triggers are those of Tillgate", violations });
  }
  const { rows: figures } = await sql<AuditFigures>`
      select a.environment, a.currency, c.wallet_currency_divisor as "currencyDivisor",
        sum(case when a.name = 'wallet.available' then a.balance else 0 end) as available,
        sum(case when a.name = 'wallet.held' then a.balance else 0 end) as held,
        -sum(case when a.name = 'world.funding' then a.balance else 0 end) as funded,
        sum(case when a.name = 'provider.spent' then a.balance else 0 end) as spent,
        (select count(*) from transactions t where t.environment = a.environment
          and t.account_id = a.account_id and t.training = 0) as transactions,
        (select count(*) from transactions t where t.environment = a.environment
          and t.account_id = a.account_id and t.finished_at is null
          and t.training = 0) as unfinished,
        (select count(*) from ledger_postings p where p.environment = a.environment
          and p.account_id = a.account_id) as postings
      from ledger_accounts a join accounts c using (account_id)
      group by a.account_id, a.environment, a.currency, c.wallet_currency_divisor
      order by a.environment desc`.execute(snapshot);
  return { clean: checks.every((check) => check.violations.length === 0), figures, checks };
}
