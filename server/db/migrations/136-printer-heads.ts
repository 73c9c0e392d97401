import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** Letters in a line and dots across of each printer's head: those of its paper until an owner says otherwise. */
export const migration136: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table printers add column line_letters ${whole} not null default 48`.execute(
      db,
    );
    await sql`alter table printers add column head_dots ${whole} not null default 576`.execute(db);
    await sql`update printers set line_letters = 32, head_dots = 384 where paper = '58mm'`.execute(
      db,
    );
  },
};
