import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A check cannot be changed: the column is made anew and takes the old one's name. */
const STATEMENTS = [
  `alter table staff add column new_role text not null default 'clerk'
    check (new_role in ('clerk', 'supervisor', 'accountant', 'owner'))`,
  "update staff set new_role = role",
  "alter table staff drop column role",
  "alter table staff rename column new_role to role",
];

export const migration062: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
