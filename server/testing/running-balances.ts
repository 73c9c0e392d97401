import { type RawBuilder, sql } from "kysely";

function change(changes: Record<string, RawBuilder<unknown>>): RawBuilder<unknown> {
  const cases = Object.entries(changes).map(([kind, by]) => sql`when ${sql.lit(kind)} then ${by}`);
  return sql`case kind ${sql.join(cases, sql` `)} else 0 end`;
}

const MORE = sql`amount`;
const LESS = sql`-amount`;
const CHANGES = {
  "wallet.available": { HOLD: LESS, RECHARGE: MORE, RELEASE: MORE, REFUND: MORE },
  "wallet.held": { HOLD: MORE, CAPTURE: LESS, RELEASE: LESS },
  "world.funding": { RECHARGE: LESS },
  "provider.spent": { CAPTURE: MORE, REFUND: LESS },
};

/**
 * Returns the rows of a table of new postings (`posting_id`, `kind`, `amount` and more) in the
 * order of their ids, each with the test wallet's balances after the posting.
 */
export function withBalances(postings: RawBuilder<unknown>): RawBuilder<unknown> {
  const running = Object.entries(CHANGES).map(
    ([name, changes]) => sql`(select balance from ledger_accounts where account_id = 'default'
        and environment = 'test' and name = ${sql.lit(name)})
      + sum(${change(changes)}) over (order by posting_id) as ${sql.ref(name.replace(".", "_"))}`,
  );
  return sql`select b.*,
      case kind when 'RECHARGE' then world_funding when 'HOLD' then wallet_available
        when 'REFUND' then provider_spent else wallet_held end as from_balance,
      case kind when 'HOLD' then wallet_held when 'CAPTURE' then provider_spent
        else wallet_available end as to_balance
    from (select p.*, ${sql.join(running)} from ${postings} p) b`;
}
