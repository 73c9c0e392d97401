import { sql } from "kysely";
import type { Db } from "../handles.ts";

/** The statements that a database's tables, indexes and triggers were made by, as `schema.sql` has them. */
export async function readSchemaText(db: Db): Promise<string> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_schema
    where sql is not null and name not like 'sqlite_%' and name not like 'kysely_%'
    order by type desc, name`.execute(db);
  return `${rows
    .map((row) => `${row.sql.replace(/\n {4}/g, "\n  ").replace(/\n {2}\)/g, "\n)")};`)
    .join("\n\n")}\n`;
}
