import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTRACT_TESTS } from "./contract-tests.ts";

const ROOT = join(import.meta.dirname, "../..");
const SQL = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto)\(|\bsql(?:<[^`]*>)?`/;

/** Modules without their own test on PostgreSQL, with the reason. */
const WITHOUT_ROW = new Map([
  ["audit", "every test that ends with expectCleanBooks audits the books"],
  ["backups", "backups are copies of SQLite's file"],
  ["customers", "sales to customers exercise it"],
  ["print-records", "the printed papers of the printing module exercise it"],
  ["recharges", "the wallet in the office exercises it"],
  ["sandbox", "a sandbox always has a file of SQLite"],
  ["settings", "tests of sales, alerts and receipts change settings"],
  ["updates", "an update is undone on SQLite's file only"],
]);

const moduleOf = (file: string) => /^server\/modules\/[^/]+\/([^/]+)\//.exec(file)?.[1];

describe("the contract table", () => {
  it("contains only existing files, and each only once", () => {
    const files = CONTRACT_TESTS.map(({ file }) => file);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(files.filter((file) => !/(?<!\.long|\.postgres)\.test\.ts$/.test(file))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });

  it("covers every module with its own SQL", () => {
    const sources = globSync("server/modules/**/*.ts", { cwd: ROOT });
    const withSql = sources.filter(
      (file) => !file.endsWith(".test.ts") && SQL.test(readFileSync(join(ROOT, file), "utf8")),
    );
    const tests = sources.filter((file) => file.endsWith(".postgres.test.ts"));
    const covered = new Set([...CONTRACT_TESTS.map(({ file }) => file), ...tests].map(moduleOf));
    const missing = withSql.filter((file) => {
      const name = moduleOf(file) ?? dirname(file);
      return !covered.has(name) && !WITHOUT_ROW.has(name);
    });
    expect(missing).toEqual([]);
  });
});
