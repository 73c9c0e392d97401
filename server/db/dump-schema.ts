import { readFileSync, writeFileSync } from "node:fs";
import { openScratchDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { readSchemaText } from "./sqlite/schema-text.ts";

/**
 * Writes the schema that the migrations make to `schema.sql`, or with `--check` reports whether it is
 * current.
 */
const file = new URL("schema.sql", import.meta.url);
const db = openScratchDatabase();
await migrate(db);
const text = await readSchemaText(db);
await db.destroy();

const schema = `-- Made by server/db/dump-schema.ts from the migrations. Review it as a diff.\n\n${text}`;

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== schema) {
    console.error("server/db/schema.sql is stale: run npm run schema:write");
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, schema);
}
