import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { bytes, tableEnd, whole } from "../migration-words.ts";

/**
 * The files of reports, in parts, where several processes on one PostgreSQL hand them out. Beside a database
 * in a file they are files.
 */
export const migration099: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table report_parts (
        file_name text not null,
        part ${whole} not null,
        content ${bytes} not null,
        primary key (file_name, part)
      ) ${tableEnd}`.execute(db);
  },
};
