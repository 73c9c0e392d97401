import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null,
    environment text not null check (environment in ('test', 'live')),`;
const TENDER_KIND = "text not null check (kind in ('CASH', 'CARD', 'OTHER'))";

/** A sale is paid in several ways, and some of its lines with a discount. */
const SALES = [
  `create table sale_tenders (
    ${SCOPE}
    sale_id text not null,
    position integer not null,
    kind ${TENDER_KIND},
    amount integer not null check (amount >= 0),
    tendered integer check (tendered >= amount),
    reference text,
    primary key (account_id, environment, sale_id, position),
    foreign key (account_id, environment, sale_id) references sales,
    check ((kind = 'CASH') = (tendered is not null))
  ) strict, without rowid`,
  `insert into sale_tenders
    select account_id, environment, sale_id, 0, 'CASH', total, tendered, null from sales`,
  `create unique index sale_tenders_one_cash on sale_tenders (account_id, environment, sale_id)
    where kind = 'CASH'`,

  `create table sales_new (
    ${SCOPE}
    sale_id text not null,
    sale_number integer not null,
    staff_id text not null,
    approved_by text,
    currency text not null,
    currency_divisor integer not null,
    total integer not null check (total >= 0),
    discount integer not null check (discount >= 0),
    request_hash text not null,
    created_at integer not null,
    primary key (account_id, environment, sale_id),
    unique (account_id, environment, sale_number),
    foreign key (account_id, staff_id) references staff,
    foreign key (account_id, approved_by) references staff
  ) strict`,
  `insert into sales_new
    select account_id, environment, sale_id, sale_number, staff_id, null, currency,
      currency_divisor, total, 0, request_hash, created_at
    from sales`,
  "drop table sales",
  "alter table sales_new rename to sales",
  "create index sales_newest on sales (account_id, environment, created_at desc, sale_id)",

  `create table sale_lines_new (
    ${SCOPE}
    sale_id text not null,
    position integer not null,
    transaction_id text not null,
    product_type text not null,
    recipient text not null,
    price integer not null check (price >= 0),
    discount integer not null check (discount between 0 and price),
    created_at integer not null,
    primary key (account_id, environment, sale_id, position),
    unique (account_id, environment, transaction_id),
    foreign key (account_id, environment, sale_id) references sales,
    foreign key (account_id, environment, transaction_id) references purchases
  ) strict`,
  `insert into sale_lines_new
    select l.account_id, l.environment, l.sale_id, l.position, l.transaction_id, t.product_type,
      l.recipient, p.price_base + p.price_fee, 0, l.created_at
    from sale_lines l
    join transactions t using (account_id, environment, transaction_id)
    join purchases p using (account_id, environment, transaction_id)`,
  "drop table sale_lines",
  "alter table sale_lines_new rename to sale_lines",
  `create index sale_lines_by_recipient
    on sale_lines (account_id, environment, recipient, created_at desc)`,
  "create index sale_lines_newest on sale_lines (account_id, environment, created_at desc)",
  `create index sale_lines_of_family
    on sale_lines (account_id, environment, product_type, created_at desc)`,
];

const GIVE_BACKS = [
  `create table give_backs (
    ${SCOPE}
    give_back_id text not null,
    sale_id text not null,
    staff_id text not null,
    approved_by text,
    kind ${TENDER_KIND},
    amount integer not null check (amount >= 0),
    request_hash text not null,
    created_at integer not null,
    primary key (account_id, environment, give_back_id),
    foreign key (account_id, environment, sale_id) references sales,
    foreign key (account_id, staff_id) references staff,
    foreign key (account_id, approved_by) references staff
  ) strict`,
  "create index give_backs_of_sale on give_backs (account_id, environment, sale_id)",
  "create index give_backs_newest on give_backs (account_id, environment, created_at desc)",
  `create table give_back_lines (
    ${SCOPE}
    transaction_id text not null,
    give_back_id text not null,
    sale_id text not null,
    amount integer not null check (amount >= 0),
    primary key (account_id, environment, transaction_id),
    foreign key (account_id, environment, give_back_id) references give_backs,
    foreign key (account_id, environment, transaction_id)
      references sale_lines (account_id, environment, transaction_id)
  ) strict, without rowid`,
  "create index give_back_lines_of_sale on give_back_lines (account_id, environment, sale_id)",
];

const COUNTER = [
  `create table held_sales (
    ${SCOPE}
    held_sale_id text not null,
    label text not null,
    staff_id text not null,
    currency text not null,
    currency_divisor integer not null,
    total integer not null,
    lines_json text not null,
    request_hash text not null,
    held_at integer not null,
    ended_at integer,
    ended_by text,
    resume_id text,
    primary key (account_id, environment, held_sale_id),
    foreign key (account_id, staff_id) references staff,
    foreign key (account_id, ended_by) references staff,
    check ((ended_at is null) = (ended_by is null)),
    check (resume_id is null or ended_at is not null)
  ) strict`,
  `create index held_sales_waiting on held_sales (account_id, environment, held_at desc)
    where ended_at is null`,
  `create table favourites (
    ${SCOPE}
    number text not null,
    name text not null,
    created_at integer not null,
    primary key (account_id, environment, number)
  ) strict`,
  `create table remembered_carriers (
    ${SCOPE}
    number text not null,
    brand text not null,
    updated_at integer not null,
    primary key (account_id, environment, number)
  ) strict`,
];

const APPEND_ONLY = ["sale_tenders", "give_backs", "give_back_lines"].flatMap((table) =>
  ["update", "delete"].map(
    (event) => `create trigger ${table}_no_${event} before ${event} on ${table}
    begin select raise(abort, '${table} is append-only'); end`,
  ),
);

export const migration008: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...SALES, ...GIVE_BACKS, ...COUNTER, ...APPEND_ONLY]) {
      await sql.raw(statement).execute(db);
    }
  },
};
