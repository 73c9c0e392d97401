import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How money was handed back: what of it in cash and what by card, where a sale was paid by both. */
const STATEMENTS = [
  `create table give_back_tenders (
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    give_back_id text not null,
    kind text not null check (kind in ('CASH', 'CARD', 'OTHER')),
    amount integer not null check (amount > 0),
    primary key (account_id, environment, give_back_id, kind),
    foreign key (account_id, environment, give_back_id) references give_backs
  ) strict, without rowid`,
  `insert into give_back_tenders
    select account_id, environment, give_back_id, kind, amount from give_backs where amount > 0`,
  ...["update", "delete"].map(
    (event) => `create trigger give_back_tenders_no_${event} before ${event} on give_back_tenders
      begin select raise(abort, 'give_back_tenders is append-only'); end`,
  ),
  "alter table give_backs drop column kind",
];

export const migration017: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
