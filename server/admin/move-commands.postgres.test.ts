import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabaseFile } from "../db/database.ts";
import { databaseFile, lockDataDir } from "../db/database-files.ts";
import { ORDERED_AS_INSERTED } from "../db/moving/table-facts.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";
import { openPool } from "../db/postgres/pool.ts";
import { createContext } from "../gateway/context.ts";
import { createGateway, type Gateway } from "../index.ts";
import { DAY, SECOND, toTimestamp } from "../lib/clock.ts";
import { sealKeyFile } from "../lib/sealer.ts";
import { auditBooks } from "../modules/books/audit/index.ts";
import { readContent, sumAgain, writeEarlierExport } from "../testing/earlier-shop.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { simulate } from "../testing/simulation/simulation.ts";
import { makeTemplateShop, type TemplateShop } from "../testing/simulation/template-shop.ts";
import { sellSamples } from "../testing/sold-samples.ts";
import { startGatewayAfter, type TestGateway } from "../testing/test-gateway.ts";
import type { TestTill } from "../testing/test-till.ts";
import { runCommandLine } from "./command-line.ts";

let root: string;
/**
 * Data directory of a shop on SQLite that has sold every product family, and the shop's test key.
 */
let shop: string;
let key: string;
let exported: string;
let exportedText: string;
const databases: string[] = [];
/** Names of report files: an integrator's report, a deleted report, and the shop's own report. */
let reports: { path: string; kept: string; cleared: string; ofShop: string };
const LONG_REPORT = randomBytes(700_000);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-move-"));
  const gateway = await startGatewayAfter(undefined, {});
  const { owner } = await sellSamples(gateway);
  reports = await makeReports(gateway, owner);
  key = gateway.key("test");
  await gateway.gateway.close();
  shop = join(root, "shop");
  cpSync(gateway.dataDir, shop, { recursive: true });
  await gateway.close();
  // A file larger than a row, a deleted file, and a partial file that belongs to no report.
  writeFileSync(join(shop, "reports", reports.kept), LONG_REPORT);
  rmSync(join(shop, "reports", reports.cleared));
  writeFileSync(join(shop, "reports", `${reports.kept}.part`), "half");
  exported = join(root, "shop.ndjson");
  exportedText = await run("export", exported, "--data", shop);
});
afterAll(async () => {
  for (const address of databases) await dropTestDatabase(address);
  rmSync(root, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runCommandLine(args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

async function refusal(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runCommandLine(args);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  return stderr;
}

async function emptyDatabase(): Promise<string> {
  const address = await createTestDatabase();
  databases.push(address);
  return address;
}

function directory(): string {
  const dir = mkdtempSync(join(root, "data-"));
  cpSync(sealKeyFile(shop), sealKeyFile(dir));
  return dir;
}

const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

async function ask(address: string, statement: string): Promise<Record<string, unknown>[]> {
  const pool = openPool(address, 1);
  const { rows } = await pool.query(statement);
  await pool.end();
  return rows;
}

async function makeReports(gateway: TestGateway, owner: TestTill): Promise<typeof reports> {
  const now = gateway.clock.now();
  const period = { startGte: toTimestamp(now - DAY), endLt: toTimestamp(now + DAY) };
  const paths: string[] = [];
  for (let count = 0; count < 2; count++) {
    const { reportId } = (await gateway.v1("POST", "/reports/transactions", period)).body;
    paths.push(`/reports/transactions/${reportId}`);
  }
  const day = toTimestamp(now).slice(0, 10);
  const order = { kind: "SOLD", format: "CSV", firstDay: day, lastDay: day };
  const { reportId } = (await owner.pos("POST", "/shop-reports", order)).body;
  await gateway.settle();
  const [path = "", other = ""] = paths;
  const [kept, cleared] = [
    (await gateway.v1("GET", path)).body.file.name,
    (await gateway.v1("GET", other)).body.file.name,
  ];
  return { path: `${path}/${kept}`, kept, cleared, ofShop: `shop-${reportId}.csv` };
}

async function readReport(dataDir: string, database?: string): Promise<Buffer> {
  const config = testConfig(dataDir, database);
  const clock = new FakeClock(Date.UTC(2026, 0, 16, 9));
  const gateway = await createGateway(config, { clock, ...TEST_OVERRIDES });
  try {
    const { url } = await gateway.listen();
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/v1${reports.path}`, { headers });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  } finally {
    await gateway.close();
  }
}

async function endConnections(database: string): Promise<void> {
  await ask(
    database,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

async function sellOn(dataDir: string, database?: string): Promise<void> {
  const clock = new FakeClock(Date.UTC(2026, 0, 16, 9));
  const config = testConfig(dataDir, database);
  const gateway: Gateway = await createGateway(config, { clock, ...TEST_OVERRIDES });
  const { url } = await gateway.listen();
  const transactionId = `moved-to-${database === undefined ? "file" : "server"}`;
  const body = { transactionId, offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const path = `${url}/v1/topups/purchases`;
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  await expect
    .poll(async () => {
      clock.set(clock.now() + SECOND);
      await gateway.context.jobs.idle();
      const answered = await fetch(`${path}/${transactionId}`, { headers });
      return ((await answered.json()) as { status: string }).status;
    })
    .toBe("DONE");
  const { checks } = await auditBooks(gateway.context.db);
  expect(checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
  await gateway.close();
}

it("an export is recorded in the audit trail of the exported shop", async () => {
  const db = openDatabaseFile(databaseFile(shop), "read");
  const entries = await db
    .selectFrom("audit_trail")
    .select("detail_json")
    .where("action", "=", "shop.export")
    .execute();
  await db.destroy();
  expect(entries.map(({ detail_json }) => JSON.parse(detail_json ?? ""))).toEqual([
    { name: "shop.ndjson" },
  ]);
});

it("an export is recorded in the audit trail before its first byte is written, on both database engines", async (test) => {
  const small = join(root, "small");
  mkdirSync(small);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small], { stdio: "ignore" });
  } catch {
    test.skip("this user may not mount a small file system");
  }
  try {
    const there = directory();
    const database = await emptyDatabase();
    await run("import", exported, "--data", there, "--database", database);
    const here = directory();
    await run("import", exported, "--data", here);
    for (const where of [
      ["--data", there, "--database", database],
      ["--data", here],
    ]) {
      const file = join(small, "shop.ndjson");
      expect(await refusal("export", file, ...where)).toMatch(/the disk is full/);
      expect(readdirSync(small)).toEqual([]);
    }
    const select = "select count(*)::int as n from audit_trail where action = 'shop.export'";
    expect(await ask(database, select)).toEqual([{ n: 1 }]);
    const db = openDatabaseFile(databaseFile(here), "read");
    const entries = db.selectFrom("audit_trail").where("action", "=", "shop.export");
    expect(await entries.selectAll().execute()).toHaveLength(1);
    await db.destroy();
  } finally {
    execFileSync("umount", ["-l", small]);
  }
});

it("an export that cannot be recorded writes nothing", async () => {
  const there = directory();
  const database = await emptyDatabase();
  await run("import", exported, "--data", there, "--database", database);
  await ask(
    database,
    `create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no room'; end $$;
    create trigger refused before insert on audit_trail execute function refuse()`,
  );
  const file = join(root, "unrecorded.ndjson");
  const { exitCode } = await runCommandLine([
    "export",
    file,
    "--data",
    there,
    "--database",
    database,
  ]);
  expect(exitCode).toBe(1);
  expect([file, `${file}.part`].filter((path) => existsSync(path))).toEqual([]);
});

describe("moving a shop that has sold every product family", () => {
  it("produces identical exports on PostgreSQL and again on SQLite, and the shop sells on both", async () => {
    const database = await emptyDatabase();
    const there = directory();
    const text = await run("import", exported, "--data", there, "--database", database);
    expect(text).toContain("The books are in order.");
    expect(text).not.toContain("MISSING");
    const again = join(root, "again.ndjson");
    await run("export", again, "--data", there, "--database", database);
    expect(sha256(again)).toBe(sha256(exported));

    await sellOn(there, database);
    const sold = join(root, "sold.ndjson");
    await run("export", sold, "--data", there, "--database", database);
    expect(sha256(sold)).not.toBe(sha256(exported));

    const back = directory();
    await run("import", sold, "--data", back);
    const last = join(root, "last.ndjson");
    await run("export", last, "--data", back);
    expect(sha256(last)).toBe(sha256(sold));
    expect(statSync(databaseFile(back)).mode & 0o777).toBe(0o600);
    await sellOn(back);
  });

  it("copies report files in both directions, so that every process can read them", async () => {
    const ofShop = readFileSync(join(shop, "reports", reports.ofShop));
    expect(exportedText).toContain("It holds 2 files of reports.");
    expect(exportedText).toContain("1 file of reports is deleted already");
    const database = await emptyDatabase();
    const [one, two] = [directory(), directory()];
    const text = await run("import", exported, "--data", one, "--database", database);
    expect(text).toContain(
      "In the database, which serves them to each process: 2 files of reports.",
    );
    expect(readdirSync(one)).not.toContain("reports");
    for (const there of [one, two]) {
      expect((await readReport(there, database)).equals(LONG_REPORT)).toBe(true);
    }

    const there = join(root, "with-reports.ndjson");
    expect(await run("export", there, "--data", directory(), "--database", database)).toContain(
      "It holds 2 files of reports.",
    );
    const back = directory();
    expect(await run("import", there, "--data", back)).toContain(
      `Written to ${join(back, "reports")}: 2 files of reports.`,
    );
    const files = readdirSync(join(back, "reports")).toSorted();
    expect(files).toEqual([reports.ofShop, reports.kept].toSorted());
    expect(readFileSync(join(back, "reports", reports.ofShop)).equals(ofShop)).toBe(true);
    expect(statSync(join(back, "reports", reports.kept)).mode & 0o777).toBe(0o600);
    expect((await readReport(back)).equals(LONG_REPORT)).toBe(true);
  });

  it("covers most tables, and does not reuse row numbers of deleted rows", async () => {
    const lines = readFileSync(exported, "utf8").trimEnd().split("\n");
    const parts = lines.map((line) => JSON.parse(line));
    const filled = parts.filter(({ end, rows }) => end !== undefined && rows > 0);
    expect(filled.length).toBeGreaterThan(35);
    expect(parts.at(-1)).toMatchObject({ tables: expect.any(Number), rows: expect.any(Number) });
    // Screen updates are deleted after a week. The next number must be higher than the last deleted
    // number.
    const data = join(root, "forgetful");
    cpSync(shop, data, { recursive: true });
    const db = openDatabaseFile(databaseFile(data), "write");
    const { last } = await db
      .selectFrom("changes")
      .select((eb) => eb.fn.max("change_id").as("last"))
      .executeTakeFirstOrThrow();
    await db.deleteFrom("changes").execute();
    await db.destroy();
    const file = join(root, "forgetful.ndjson");
    await run("export", file, "--data", data);
    const database = await emptyDatabase();
    await run("import", file, "--data", directory(), "--database", database);
    const insert = `insert into changes (account_id, environment, topic, subject, changed_at)
      values ('default', 'test', 'shop', 'x', 0) returning change_id`;
    expect(await ask(database, insert)).toEqual([{ change_id: Number(last) + 1 }]);
    const back = directory();
    await run("import", file, "--data", back);
    const opened = openDatabaseFile(databaseFile(back), "write");
    const { rows } = await sql.raw(insert).execute(opened);
    await opened.destroy();
    expect(rows).toEqual([{ change_id: Number(last) + 1 }]);
  });

  it("writes a file that only the file's owner can read, and gives the complete file its final name", async () => {
    expect(statSync(exported).mode & 0o777).toBe(0o600);
    expect(await refusal("export", exported, "--data", shop)).toContain(
      "already. Nothing was written.",
    );
    const nowhere = join(root, "nowhere", "shop.ndjson");
    expect(await refusal("export", nowhere, "--data", shop)).toContain(
      "cannot be written: there is no such file or directory. Nothing was written.",
    );
    expect(readdirSync(root).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("reports how many PINs and secrets the key of the new directory cannot open", async () => {
    const bare = mkdtempSync(join(root, "bare-"));
    const text = await run("import", exported, "--data", bare);
    expect(text).toMatch(/MISSING: the key .*secrets\.key that 2 PINs of staff/);
  });

  it("preserves the triggers that make tables append-only", async () => {
    const [database, back] = [await emptyDatabase(), directory()];
    await run("import", exported, "--data", directory(), "--database", database);
    await expect(ask(database, "delete from ledger_postings")).rejects.toThrow("append-only");
    await run("import", exported, "--data", back);
    const [was, is] = [shop, back].map((dir) => openDatabaseFile(databaseFile(dir), "write"));
    if (!was || !is) throw new Error("no database");
    await expect(sql`delete from ledger_postings`.execute(is)).rejects.toThrow("append-only");
    const schema = sql`select type, name, sql from sqlite_schema order by type, name`;
    expect((await schema.execute(is)).rows).toEqual((await schema.execute(was)).rows);
    for (const db of [was, is]) await db.destroy();
  });
});

describe("an import", () => {
  let database: string;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  const tables = () => ask(database, "select tablename from pg_tables where schemaname = 'public'");

  /** Imports a changed export into both engines. Expects both databases to remain empty. */
  async function refuseChanged(text: string | Buffer, words: RegExp): Promise<void> {
    const file = join(root, "changed.ndjson");
    writeFileSync(file, text);
    const [one, two] = [directory(), directory()];
    expect(await refusal("import", file, "--data", one)).toMatch(words);
    expect(readdirSync(one).toSorted()).toEqual(["gateway.lock", "secrets.key"]);
    expect(await refusal("import", file, "--data", two, "--database", database)).toMatch(words);
    expect(await tables()).toEqual([]);
  }

  it("refuses a truncated file, and names the table in which the file ends", async () => {
    const whole = readFileSync(exported);
    const at = whole.indexOf('{"end":"purchases"') - 30;
    await refuseChanged(whole.subarray(0, at), /it ends in the middle of the table purchases/);
    const behind = whole.indexOf("\n", whole.indexOf('{"end":"purchases"')) + 1;
    await refuseChanged(whole.subarray(0, behind), /it ends behind the table purchases\. Nothing/);
    await refuseChanged("", /it is empty\. Nothing was imported/);
    await refuseChanged(`${whole.toString()}{}\n`, /something follows after its end/);
  });

  it("refuses a file in which any single byte was changed", async () => {
    const whole = readFileSync(exported);
    const cut = join(root, "one-byte.ndjson");
    const data = directory();
    for (let at = 11; at < whole.length; at += Math.ceil(whole.length / 12)) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(cut, changed);
      expect(await refusal("import", cut, "--data", data), String(at)).toMatch(
        /damaged|no export|schema|ends|follows|of the form/,
      );
      expect(existsSync(databaseFile(data))).toBe(false);
    }
    const text = whole.toString();
    await refuseChanged(
      text.replace(/(\{"table":"sales".*\n.*?)"GTQ"/, '$1"GTX"'),
      /the table sales is damaged\. Nothing was imported/,
    );
  });

  it("refuses a file of another version, and names the version that can read the file", async () => {
    const text = readFileSync(exported, "utf8");
    await refuseChanged(
      text.replace('"migrations":[', '"migrations":["999-later",'),
      /written by Tillgate .*, with a newer schema \(999-later\).* Import it with that version/,
    );
    await refuseChanged(
      text.replace(',"002-returned-lines"', ""),
      /with an older schema \(002-returned-lines\)/,
    );
    await refuseChanged(text.replace("export-1", "export-2"), /of the form tillgate-export-2/);
    await refuseChanged("This is no export.\n", /it is no export of Tillgate/);
  });

  it("leaves the target empty if the books are not in order, or if a row is refused", async () => {
    const lines = readFileSync(exported, "utf8").split("\n");
    const begin = lines.findIndex((line) => line.startsWith('{"table":"ledger_accounts"'));
    const { columns } = JSON.parse(lines[begin] ?? "") as { columns: string[] };
    const change = (value: unknown) => {
      const row = JSON.parse(lines[begin + 1] ?? "") as unknown[];
      row[columns.indexOf("balance")] = value;
      return sumAgain(lines.with(begin + 1, JSON.stringify(row)));
    };
    await refuseChanged(change(4711), /are not in order: every balance is the sum of its entries/);
    await refuseChanged(change(null), /the rows of ledger_accounts cannot be written: .*balance/);
    await refuseChanged(change("much"), /ledger_accounts\.balance holds no integer/);
  });

  it("writes no report file outside the reports folder, and no incomplete report file", async () => {
    const lines = readFileSync(exported, "utf8").split("\n");
    const at = lines.findIndex((line) => line.startsWith('{"table":"report_parts"')) + 1;
    const rowOf = (index: number) => JSON.parse(lines[index] ?? "") as [unknown, string, number];
    const [content] = rowOf(at);
    for (const name of ["../outside.csv", "/tmp/outside.csv", ".hidden", "a\0b", ""]) {
      const changed = lines.with(at, JSON.stringify([content, name, 0]));
      const file = join(root, "elsewhere.ndjson");
      writeFileSync(file, sumAgain(changed));
      const data = directory();
      expect(await refusal("import", file, "--data", data)).toMatch(/has a file of the name/);
      expect(readdirSync(data).toSorted()).toEqual(["gateway.lock", "secrets.key"]);
    }
    const parts = [at, at + 1, at + 2, at + 3].map(rowOf);
    const second = parts.findIndex(([, , part]) => part === 1);
    const [bytes, name] = parts[second] ?? [];
    const skipped = lines.with(at + second, JSON.stringify([bytes, name, 5]));
    await refuseChanged(sumAgain(skipped), /lacks a part of|is not read back as it was written/);
  });

  it("refuses a target with a running gateway, or with a shop, even if the shop is not set up", async () => {
    const taken = await refusal("import", exported, "--data", shop);
    expect(taken).toContain(`There is a shop in ${shop} already`);
    expect(await refusal("import", exported, "--data", shop, "--database", database)).toContain(
      "There is a shop in",
    );
    const here = directory();
    const gateway = await createGateway(testConfig(here, database), TEST_OVERRIDES);
    const words = `Tillgate is running on ${here}: stop it first`;
    for (const what of ["import", "export"]) {
      const file = what === "import" ? exported : join(root, "never.ndjson");
      const where = ["--database", database];
      expect(await refusal(what, file, "--data", here, ...where)).toContain(words);
      expect(await refusal(what, file, "--data", directory(), ...where)).toMatch(
        /Tillgate is running on the database test_\w+ on 127\.0\.0\.1:\d+: stop it first/,
      );
    }
    await gateway.close();
    expect(
      await refusal("import", exported, "--data", directory(), "--database", database),
    ).toMatch(/has tables in it already\. Nothing was imported/);
    const lock = lockDataDir(shop);
    expect(await refusal("export", join(root, "never.ndjson"), "--data", shop)).toContain(
      `Tillgate is running on ${shop}: stop it first`,
    );
    lock?.release();
  });

  it("starts over after a power cut interrupted an earlier import", async () => {
    const data = directory();
    writeFileSync(join(data, "tillgate.db.importing"), "half");
    mkdirSync(join(data, "reports.importing"));
    writeFileSync(join(data, "reports.importing", reports.kept), "half");
    // Commit counter of another database. It must not make commits of the new database count as
    // missing.
    writeFileSync(join(data, "tillgate.db-commits"), "");
    await run("import", exported, "--data", data);
    const there = ["gateway.lock", "reports", "secrets.key", "tillgate.db"];
    expect(readdirSync(data).toSorted()).toEqual(there);
  });
});

describe("an export", () => {
  it("stops a gateway that reconnects during the export, so that the gateway makes no further sales", async () => {
    const database = await emptyDatabase();
    const here = directory();
    await run("import", exported, "--data", here, "--database", database);
    const clock = new FakeClock(Date.UTC(2026, 0, 16, 9));
    const overrides = { clock, ...TEST_OVERRIDES };
    const gateway = await createGateway(testConfig(here, database), overrides);
    const { url } = await gateway.listen();
    const buy = async (transactionId: string, at = url) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const order = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
      const body = JSON.stringify({ ...order, transactionId });
      return fetch(`${at}/v1/topups/purchases`, { method: "POST", headers, body });
    };
    expect((await buy("before")).status).toBe(200);

    const file = join(root, "in-the-gap.ndjson");
    const exportInGap = async () => {
      await endConnections(database);
      const args = ["export", file, "--data", directory(), "--database", database];
      return (await runCommandLine(args)).stderr;
    };
    await expect.poll(exportInGap, { timeout: 60_000 }).toBe("");
    const counted = () => ask(database, "select count(*) from transactions");
    const before = await counted();
    // The database server would accept the gateway again.
    await endConnections(database);
    expect((await buy("after")).status).toBe(503);
    expect(await counted()).toEqual(before);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    // The first export left no lock.
    const again = join(root, "in-the-gap-again.ndjson");
    await run("export", again, "--data", directory(), "--database", database);
    expect(await counted()).toEqual(before);
    await gateway.close();

    // By starting a gateway on the old database, the owner decides to sell with this database.
    const next = await createGateway(testConfig(here, database), overrides);
    const other = await next.listen();
    expect((await buy("decided", other.url)).status).toBe(200);
    await next.close();
  });

  it("refuses to run beside another command", async () => {
    const database = await emptyDatabase();
    const here = directory();
    const where = ["--data", here, "--database", database];
    await run("import", exported, ...where);
    const command = await createContext(testConfig(here, database));
    expect(await refusal("export", join(root, "never.ndjson"), ...where)).toContain(
      "Tillgate is running on the database",
    );
    await command.dispose();
    const mover = await openPostgresDatabase(database, { presence: "alone" });
    expect(await refusal("devices", "list", ...where)).toMatch(
      /The shop in the database .* is just being moved\. Nothing was changed\./,
    );
    await mover.destroy();
    await run("devices", "list", ...where);
  });

  it("refuses a database in which a stored row was changed", async () => {
    const data = join(root, "damaged");
    cpSync(shop, data, { recursive: true });
    const db = openDatabaseFile(databaseFile(data), "write");
    await db.updateTable("sales").set({ training: 0, request_hash: "x" }).execute();
    await db.destroy();
    const words = await refusal("export", join(root, "damaged.ndjson"), "--data", data);
    expect(words).toMatch(
      /The books are not in order: what was stored is as it was written: sales/,
    );
    expect(existsSync(join(root, "damaged.ndjson"))).toBe(false);
  });

  it("can be imported unchanged if the last version before the baseline wrote it", async () => {
    const earlier = join(root, "earlier.ndjson");
    writeEarlierExport(earlier);
    const database = await emptyDatabase();
    const where = ["--data", directory(), "--database", database];
    const { exitCode, stderr } = await runCommandLine(["import", earlier, ...where]);
    expect(exitCode, stderr).toBe(0);
    const again = join(root, "earlier-again.ndjson");
    await run("export", again, "--data", directory(), "--database", database);
    expect(readContent(again)).toEqual(readContent(earlier));
  });

  it("refuses a database of another version", async () => {
    const data = join(root, "older");
    cpSync(shop, data, { recursive: true });
    const db = openDatabaseFile(databaseFile(data), "write");
    await sql`delete from kysely_migration where name = '001-baseline'`.execute(db);
    await db.destroy();
    expect(await refusal("export", join(root, "older.ndjson"), "--data", data)).toContain(
      "is of another version than this Tillgate",
    );
  });

  it("orders rows by insertion in the tables whose order of insertion matters", async () => {
    const database = await emptyDatabase();
    await run("import", exported, "--data", directory(), "--database", database);
    const rows = await ask(
      database,
      "select table_name from information_schema.columns where column_name = 'inserted'",
    );
    expect(new Set(rows.map((row) => row.table_name))).toEqual(ORDERED_AS_INSERTED);
  });
});

describe("moving any shop", () => {
  let template: TemplateShop;
  beforeAll(async () => {
    template = await makeTemplateShop();
  });
  afterAll(() => template.remove());

  /**
   * Moves a shop from a file to PostgreSQL and from there to another file. Exports the last file.
   */
  async function moveThere(dataDir: string): Promise<string[]> {
    const scratch = mkdtempSync(join(root, "round-"));
    const [first, second, third] = ["a", "b", "c"].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    const database = await createTestDatabase();
    const [there, back] = [join(scratch, "there"), join(scratch, "back")];
    for (const dir of [there, back]) mkdirSync(dir);
    await run("export", first, "--data", dataDir);
    await run("import", first, "--data", there, "--database", database);
    await run("export", second, "--data", there, "--database", database);
    await dropTestDatabase(database);
    await run("import", second, "--data", back);
    await run("export", third, "--data", back);
    return [first, second, third].map(sha256);
  }

  it.each([11, 12, 13])(
    "produces identical exports after simulated days of errors, crashes and refunds (seed %d)",
    async (seed) => {
      let sums: string[] = [];
      const { faults } = await simulate(seed, template, async (dataDir) => {
        sums = await moveThere(dataDir);
      });
      expect(faults).toEqual([]);
      expect(sums).toEqual([sums[0], sums[0], sums[0]]);
    },
  );

  it("preserves all texts, integers, fractions and bytes exactly", async () => {
    const text = fc
      .string({ unit: "binary", maxLength: 40 })
      .map((any) => any.replaceAll("\0", ""));
    const favourite = fc.record({
      number: text,
      name: fc.oneof(text, fc.constantFrom("\u2028\u2029", '"\\', '{"base64":"AA=="}', "")),
      created_at: fc.maxSafeInteger(),
    });
    const plan = fc.double({ noNaN: true, noDefaultInfinity: true });
    const rows = fc.record({
      favourites: fc.uniqueArray(favourite, {
        selector: ({ number }) => number,
        minLength: 300,
        maxLength: 600,
      }),
      fractions: fc.array(plan, { maxLength: 30 }),
      pictures: fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(rows, async ({ favourites, fractions, pictures }) => {
        const data = mkdtempSync(join(root, "any-"));
        cpSync(databaseFile(shop), databaseFile(data));
        const db = openDatabaseFile(databaseFile(data), "write");
        const scope = { account_id: "default", environment: "test" } as const;
        for (const row of favourites) {
          await db
            .insertInto("favourites")
            .values({ ...scope, ...row })
            .execute();
        }
        for (const [position, data_gb] of fractions.entries()) {
          await sql`insert into simulator_plans values ('default', ${`plan-${position}`}, 'iccid',
            ${position + 100}, 'offer', '', ${data_gb}, 0, 7, 0, null)`.execute(db);
        }
        for (const [index, picture] of pictures.entries()) {
          await sql`insert into logos values ('default', ${`brand ${index}`}, 'digest',
            'image/png', 1, 1, ${Buffer.from(picture)})`.execute(db);
        }
        await db.destroy();
        const sums = await moveThere(data);
        expect(sums).toEqual([sums[0], sums[0], sums[0]]);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});
