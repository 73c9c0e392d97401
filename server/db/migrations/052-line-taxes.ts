import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * By which tax a line's `tax` was worked out, as its price list said when it was sold. Lines from before
 * were sold without one. No checksum has them: the audit works the tax out anew from them.
 */
const STATEMENTS = [
  `alter table sale_lines add column tax_kind text not null default 'NONE'
    check (tax_kind in ('NONE', 'ON_PRICE', 'ON_MARGIN'))`,
  "alter table sale_lines add column tax_percent text not null default '0'",
];

export const migration052: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
