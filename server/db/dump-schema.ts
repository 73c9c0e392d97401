import { readFileSync, writeFileSync } from "node:fs";
import { sql } from "kysely";
import { openScratchDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

/**
 * Writes the schema that the migrations make to `schema.sql`, or with `--check` reports whether it is
 * current.
 */
const file = new URL("schema.sql", import.meta.url);
const db = openScratchDatabase();
await migrate(db);
const { rows } = await sql<{ sql: string }>`
  select sql from sqlite_schema
  where sql is not null and name not like 'sqlite_%' and name not like 'kysely_%'
  order by type desc, name`.execute(db);
await db.destroy();

const schema = `-- Made by server/db/dump-schema.ts from the migrations. Review it as a diff.\n\n${rows
  .map((row) => `${row.sql.replace(/\n {4}/g, "\n  ").replace(/\n {2}\)/g, "\n)")};`)
  .join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== schema) {
    console.error("server/db/schema.sql is stale: run npm run schema:write");
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, schema);
}
