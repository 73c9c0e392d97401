import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Ports of printers beside the usual ones: those in use go on, others the owner names. */
const STATEMENTS = [
  "alter table accounts add column printer_ports_json text not null default '[]'",
  `update accounts set printer_ports_json = (
    select json_group_array(port) from (
      select distinct port from printers p
      where p.account_id = accounts.account_id and port not between 9100 and 9109
      order by port))`,
];

export const migration026: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
