import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { runCommandLine } from "../admin/command-line.ts";
import { DatabaseTaken, openPostgresDatabase } from "../db/postgres/open-database.ts";
import { openPool } from "../db/postgres/pool.ts";
import { requireWritable } from "../db/postgres/server-mode.ts";
import { createGateway, type Gateway } from "../index.ts";
import { createFileSealer } from "../lib/sealer.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { startOwnPostgres } from "../testing/postgres-server.ts";
import { startTestGateway } from "../testing/test-gateway.ts";
import { startTransactionPooler } from "../testing/transaction-pooler.ts";

const WRITERS = 5;

let dataDir: string;
let address: string;
const opened: Gateway[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-postgres-"));
  address = await createTestDatabase();
});
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close();
  await dropTestDatabase(address);
  rmSync(dataDir, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

async function open(database = address, directory = dataDir): Promise<Gateway> {
  const gateway = await createGateway(testConfig(directory, database), TEST_OVERRIDES);
  opened.push(gateway);
  return gateway;
}

async function write(statement: string): Promise<void> {
  const pool = openPool(address, 1);
  await pool.query(statement);
  await pool.end();
}

async function countConnections(): Promise<number> {
  const pool = openPool(address, 1);
  const { rows } = await pool.query<{ pid: number }>(`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'tillgate' and pid <> pg_backend_pid()`);
  await pool.end();
  return rows.length;
}

describe("a gateway on PostgreSQL", () => {
  it("creates a shop in an empty database, and finds it again at the next start", async () => {
    const first = await open();
    const { key } = await first.context.keys.create(
      { accountId: "default", environment: "test" },
      "shop",
    );
    await first.close();
    const { url } = await (await open()).listen();
    const answer = await fetch(`${url}/v1/balance`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ availableBalance: 100_000, currency: "USD" });
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(200);
  });

  it("runs beside other gateways on its database, but not beside a command that moves the shop", async () => {
    const first = await open();
    const other = mkdtempSync(join(tmpdir(), "tillgate-postgres-"));
    copyFileSync(join(dataDir, "secrets.key"), join(other, "secrets.key"));
    const second = await open(address, other);
    const alone = () => openPostgresDatabase(address, { presence: "alone" });
    await expect(alone()).rejects.toThrow(DatabaseTaken);
    await first.close();
    await expect(alone()).rejects.toThrow(DatabaseTaken);
    await second.close();
    const mover = await alone();
    await expect(open(address, other)).rejects.toThrow(
      /^The shop in the database test_\w+ on 127\.0\.0\.1:\d+ is just being moved\. Nothing was changed\. Start again/,
    );
    await mover.destroy();
    await (await open(address, other)).close();
    rmSync(other, { recursive: true, force: true });
  });

  it("keeps its database reserved while it writes nothing, like a command that moves the shop", async () => {
    await (await open()).close();
    const gateway = await openPostgresDatabase(address, { presence: "gateway", idle_ms: 1 });
    const alone = () => openPostgresDatabase(address, { presence: "alone", idle_ms: 1 });
    // Idle connections are closed, except the connections that reserve the database.
    await expect.poll(countConnections).toBe(WRITERS);
    await expect(alone()).rejects.toThrow(DatabaseTaken);
    await gateway.destroy();
    const mover = await alone();
    await expect.poll(countConnections).toBe(1);
    await expect(open()).rejects.toThrow(/ is just being moved\./);
    await mover.destroy();
  });

  it("reserves its database again before its first write after the server was away", async () => {
    const postgres = await startOwnPostgres();
    const gateway = await open(postgres.address);
    await postgres.killAndStart();
    const tryAlone = () =>
      openPostgresDatabase(postgres.address, { presence: "alone" }).then(
        (mover) => mover.destroy(),
        (error: unknown) => error,
      );
    await expect.poll(tryAlone).toBeInstanceOf(DatabaseTaken);
    await gateway.close();
    await postgres.stop();
  });

  it("does not start and changes nothing if the key file is missing or belongs to another shop", async () => {
    await open();
    const other = mkdtempSync(join(tmpdir(), "tillgate-postgres-"));
    const refused = (what: string) =>
      new RegExp(
        `^The shop in the database test_\\w+ .* has a key file, .*secrets\\.key ${what}\\.`,
      );
    await expect(open(address, other)).rejects.toThrow(refused("is not there"));
    expect(existsSync(join(other, "secrets.key"))).toBe(false);
    vi.stubEnv("TILLGATE_DATABASE", address);
    const missing = join(other, "mistyped");
    expect((await runCommandLine(["audit"], missing)).stderr).toMatch(refused("is not there"));
    expect(existsSync(missing)).toBe(false);
    createFileSealer(other).seal("anything");
    await expect(open(address, other)).rejects.toThrow(refused("is another one"));
    copyFileSync(join(dataDir, "secrets.key"), join(other, "secrets.key"));
    expect((await (await open(address, other)).listen()).url).toMatch(/^http/);
    await opened.pop()?.close();
    rmSync(other, { recursive: true, force: true });
  });

  it("does not change a database with foreign tables or tables of another version", async () => {
    await write("create table customers (name text)");
    await expect(open()).rejects.toThrow("holds tables that are not Tillgate's");
    await write("drop table customers");
    await (await open()).close();
    await write("insert into kysely_migration (name, timestamp) values ('999-later', '')");
    await expect(open()).rejects.toMatchObject({
      message: expect.stringContaining("made by a newer Tillgate (999-later)"),
      isLasting: true,
    });
    await write("delete from kysely_migration where name = '999-later'");
    await write("update kysely_migration set name = '001-foundation' where name = '001-baseline'");
    await expect(open()).rejects.toThrow(/made by an older Tillgate.*tillgate export, then/);
  });

  it("does not start in the data directory of a shop whose database is a file", async () => {
    const gateway = await createGateway(testConfig(dataDir), TEST_OVERRIDES);
    await gateway.close();
    await expect(open()).rejects.toThrow("holds a shop of its own");
  });

  it("reports why the server is unreachable or refuses access, without the password", async () => {
    const wrong = new URL(address);
    wrong.pathname = "/nowhere";
    wrong.password = "hush-hush";
    const reason = () => open(wrong.href).then(String, (error: Error) => error.message);
    const isLasting = () => open(wrong.href).catch(({ isLasting }) => isLasting);
    const refused = await reason();
    expect(await isLasting()).toBe(true);
    expect(refused).toMatch(/^The database nowhere on 127\.0\.0\.1:\d+ cannot be used: /);
    wrong.port = "1";
    const absent = await reason();
    expect(await isLasting()).toBe(false);
    expect(absent).toMatch(/cannot be used: .*ECONNREFUSED/);
    expect(`${refused}${absent}`).not.toContain("hush-hush");
  });

  it("does not start behind a pooler that shares connections between transactions, and names the pooler", async () => {
    const pooler = await startTransactionPooler(address);
    const refused = await open(pooler.address).catch((error: unknown) => error);
    expect(refused).toMatchObject({ isLasting: true });
    expect(String(refused)).toMatch(
      /cannot keep a shop: a pooler stands between, .* Nothing was changed\. Give the address of the server itself, or set pool_mode = session/,
    );
    await pooler.close();
    expect((await (await open()).listen()).url).toMatch(/^http/);
  });

  it("does not start on a read-only server or a standby, and names the reason", async () => {
    const { pathname } = new URL(address);
    const readOnly = (value: string) =>
      write(`alter database ${pathname.slice(1)} set default_transaction_read_only = ${value}`);
    await readOnly("on");
    await expect(open()).rejects.toThrow(
      /cannot keep a shop: the server lets this user read only .* Nothing was changed\. Switch it off/,
    );
    const pool = openPool(address, 1);
    await pool.query("set default_transaction_read_only = off");
    await pool.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = off`);
    await pool.end();
    const standby = { query: async () => ({ rows: [{ standby: true, readonly: "on" }] }) };
    await expect(requireWritable(standby as never)).rejects.toThrow(/the server is a standby/);
  });

  it.each([
    ["statement_timeout", "'30s'", "0"],
    ["lock_timeout", "'1s'", "0"],
    ["transaction_timeout", "'5s'", "0"],
    ["idle_session_timeout", "'10s'", "0"],
    // A sale is on the server's disk before its response.
    ["synchronous_commit", "off", "on"],
    ["synchronous_commit", "remote_apply", "remote_apply"],
    ["default_transaction_isolation", "'serializable'", "read committed"],
  ])("replaces the server's %s = %s if sales need another value", async (name, given, used) => {
    const { pathname } = new URL(address);
    await write(`alter database ${pathname.slice(1)} set ${name} = ${given}`);
    const { db } = (await open()).context;
    for (const each of [db, writerOf(db)]) {
      const { rows } = await sql<{ value: string }>`
        select current_setting(${name}) as value`.execute(each);
      expect(rows).toEqual([{ value: used }]);
    }
  });

  it("sells during an audit by the command line, and creates reports on a thread", async () => {
    const shop = await startTestGateway();
    const body = {
      transactionId: "3f0e7a52-7a2b-4b5e-9a55-0f7f5a1f3a10",
      offerId: "TIGO_GT_TOPUP_25",
      recipientPhoneNumber: "+50251234567",
    };
    expect((await shop.v1("POST", "/topups/purchases", body)).status).toBeLessThan(300);
    await shop.advance(60_000);
    const { database } = shop.gateway.context.config;
    const run = (...args: string[]) =>
      runCommandLine([...args, "--database", database ?? "", "--data", shop.dataDir]);
    const audit = await run("audit");
    expect(audit.stdout).toContain("The books are in order.");
    const report = await shop.gateway.context.background.run("audit", { database: database ?? "" });
    expect(report.clean).toBe(true);
    await shop.close();
  });

  it("makes no backups, and names the program that makes them", async () => {
    const shop = await startTestGateway();
    const { backups } = shop.gateway.context;
    await expect(backups.make()).rejects.toThrow("pg_dump");
    expect(await backups.getState()).toMatchObject({ backups: [], isElsewhere: true });
    const { database } = shop.gateway.context.config;
    vi.stubEnv("TILLGATE_DATABASE", database);
    const { stderr, exitCode } = await runCommandLine(["backup", "list", "--data", shop.dataDir]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("pg_dump");
    const { stdout } = await runCommandLine(["status", "--data", shop.dataDir]);
    expect(stdout).toContain("pg_dump");
    expect(stdout).not.toContain("There are no backups");
    await shop.close();
  });

  it("stores the shop's account in the database", async () => {
    const shop = await startTestGateway();
    const { rows } = await sql<{ count: number }>`select count(*) as count from accounts`.execute(
      shop.gateway.context.db,
    );
    expect(rows).toEqual([{ count: 1 }]);
    expect(inject("firstDay").database).toBe("first_day");
    await shop.close();
  });
});
