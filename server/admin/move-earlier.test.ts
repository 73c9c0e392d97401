import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabaseFile } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { readContent, writeEarlierExport } from "../testing/earlier-shop.ts";
import { typeCommand } from "../testing/run-program.ts";
import { addSeparateTables, MERGED_CONTENT, readMergedTables } from "../testing/separate-tables.ts";

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-earlier-"));
  file = join(root, "earlier.ndjson");
  writeEarlierExport(file);
});
afterEach(() => rmSync(root, { recursive: true }));

describe("an export of the last version before the baseline", () => {
  it("imports every sale, balance and document unchanged", async () => {
    const data = join(root, "data");
    const imported = await typeCommand(data, ["import", file]);
    expect(imported, imported.stderr).toMatchObject({ exitCode: 0 });
    expect((await typeCommand(data, ["audit"])).exitCode).toBe(0);
    const again = join(root, "again.ndjson");
    expect((await typeCommand(data, ["export", again])).exitCode).toBe(0);
    const earlier = readContent(file);
    expect(earlier.get("sales")).toHaveLength(11);
    expect(readContent(again)).toEqual(earlier);
  });

  it("imports every setting, logo, catalog file and report of merged tables", async () => {
    addSeparateTables(file);
    const data = join(root, "data");
    const imported = await typeCommand(data, ["import", file]);
    expect(imported, imported.stderr).toMatchObject({ exitCode: 0 });
    const db = openDatabaseFile(databaseFile(data), "read");
    expect(await readMergedTables(db)).toEqual(MERGED_CONTENT);
    await db.destroy();
  });

  it("gives each purchase the channel of its sale, and no cost that was not stored", async () => {
    const data = join(root, "data");
    expect((await typeCommand(data, ["import", file])).exitCode).toBe(0);
    const db = openDatabaseFile(databaseFile(data), "read");
    const { rows } = await sql`select p.channel, b.transaction_id is not null as "isBulk",
        l.transaction_id is not null as "isSale", p.shop_cost as cost, count(*) as count
      from purchases p left join sale_lines l using (account_id, environment, transaction_id)
      left join bulk_lines b using (account_id, environment, transaction_id)
      group by 1, 2, 3, 4 order by 1`.execute(db);
    await db.destroy();
    expect(rows).toEqual([
      { channel: null, isBulk: 0, isSale: 1, cost: null, count: 14 },
      { channel: "A", isBulk: 0, isSale: 0, cost: null, count: 2 },
    ]);
  });

  it("causes an error with the remedy if its schema is older", async () => {
    const text = readFileSync(file, "utf8").replace(',"142-losses-by-sale"', "");
    writeFileSync(file, text);
    const { stderr, exitCode } = await typeCommand(join(root, "data"), ["import", file]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("start the last version before this one on it, and export it");
  });
});

it("an export of a database from before the baseline is refused with the remedy", async () => {
  const data = join(root, "data");
  expect((await typeCommand(data, ["import", file])).exitCode).toBe(0);
  const db = openDatabaseFile(databaseFile(data), "write");
  await sql`update kysely_migration set name = '001-foundation'
    where name = '001-baseline'`.execute(db);
  await db.destroy();
  const { stderr } = await typeCommand(data, ["export", join(root, "again.ndjson")]);
  expect(stderr).toMatch(/made by an older Tillgate\. .*tillgate export, then tillgate import/);
});
