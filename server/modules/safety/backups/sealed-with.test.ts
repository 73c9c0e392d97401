import { sql } from "kysely";
import { expect, it } from "vitest";
import { openScratchDatabase } from "../../../db/database.ts";
import { migrate } from "../../../db/migrate.ts";
import { SEALED_COLUMNS } from "./sealed-with.ts";

it("a restore checks every encrypted column", async () => {
  const db = openScratchDatabase();
  await migrate(db);
  const { rows } = await sql<{ place: string }>`select m.name || '.' || c.name as place
    from sqlite_schema m join pragma_table_info(m.name) c
    where m.type = 'table' and substr(c.name, -7) = '_sealed'`.execute(db);
  await db.destroy();
  expect(rows.length).toBeGreaterThan(3);
  const known = SEALED_COLUMNS.map(([table, column]) => `${table}.${column}`);
  expect(known).toEqual(expect.arrayContaining(rows.map(({ place }) => place)));
});
