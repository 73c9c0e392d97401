import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Receipt printers on the shop's network. */
const STATEMENTS = [
  `create table printers (
    account_id text not null references accounts,
    printer_id text not null,
    name text not null,
    host text not null,
    port integer not null check (port between 1 and 65535),
    paper text not null check (paper in ('58mm', '80mm')),
    drawer integer not null check (drawer in (0, 1)),
    created_at integer not null,
    primary key (account_id, printer_id)
  ) strict`,
];

export const migration011: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
