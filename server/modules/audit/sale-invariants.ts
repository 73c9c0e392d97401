/** What holds of the money of sales; each finds the rows that break it. */
export const SALE_INVARIANTS: Record<string, string> = {
  "every line of a sale costs what its purchase does": `
    select l.transaction_id || ' is sold for ' || l.price || ', its purchase costs '
      || (p.price_base + p.price_fee) as violation
    from sale_lines l join purchases p using (account_id, environment, transaction_id)
    where l.price <> p.price_base + p.price_fee`,

  // Floating point is exact enough to tell one minor unit from another.
  "the tax of a line is what its rate makes of it": `
    select l.transaction_id || ' has a tax of ' || l.tax || ', ' || l.tax_kind || ' '
      || l.tax_percent || ' %' as violation
    from (select *, case when tax_kind <> 'ON_MARGIN' then price - discount
        when price - discount > cost then price - discount - cost else 0 end as taxed,
        cast(tax_percent as double precision) as percent from sale_lines) l
    where case when l.tax_kind = 'NONE' then l.tax <> 0
      else abs(l.tax - l.taxed * l.percent / (100 + l.percent)) > 0.500001 end`,

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

  "what was handed back was paid for lines that failed": `
    select g.transaction_id || ' had ' || g.amount || ' handed back, was paid '
      || (l.price - l.discount) || ' and is ' || t.status as violation
    from customer_refund_lines g
    join sale_lines l using (account_id, environment, transaction_id)
    join transactions t using (account_id, environment, transaction_id)
    where t.status <> 'FAILED' or g.amount <> l.price - l.discount or g.sale_id <> l.sale_id
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
