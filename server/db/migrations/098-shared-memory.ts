import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/**
 * What processes on one PostgreSQL remember together for minutes (docs/decisions/0081). On a file it stays empty:
 * one process has that for itself, and remembers in its own memory.
 */
export const migration098: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table shared_memory (
        topic text not null,
        name text not null,
        number ${whole} not null,
        content text,
        expires_at ${whole} not null,
        primary key (topic, name)
      ) ${tableEnd}`.execute(db);
    await sql`create index shared_memory_by_end on shared_memory (expires_at)`.execute(db);
  },
};
