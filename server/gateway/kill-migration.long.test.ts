import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Db, openDatabase } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { findSchemaVersion } from "../db/migrate.ts";
import { MINUTE } from "../lib/clock.ts";
import { listBackupFiles } from "../modules/safety/backups/index.ts";
import { copyDataDir } from "../testing/copy-data-dir.ts";
import { repeatPurchase } from "../testing/many-sales.ts";
import { asNewer } from "../testing/newer-version.ts";
import { typeCommand } from "../testing/run-program.ts";
import {
  countStartSteps,
  NEWER_ENV,
  startAndKillAtStep,
  startServerProcess,
} from "../testing/server-process.ts";
import { startTestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";
import { until } from "../testing/until.ts";

// Kills a new version with `kill -9` while it migrates an older version's database.

/**
 * Number of sales: more rows than a transaction keeps in memory, so that the write-ahead log
 * contains some of them.
 */
const SALES = 20_000;
/**
 * Number of kills, spread over the statements and file changes of a start: 3 in CI, `KILLS=20` by
 * hand.
 */
const KILLS = Number(process.env.KILLS ?? 3);
/** Tables that a running gateway or an update writes without a sale. */
const PASSING = new Set(["jobs", "changes", "staff_sessions", "program_versions"]);
/** Growth of the write-ahead log between two kills, in bytes. */
const LOG_STEP_BYTES = Number(process.env.LOG_STEP_MB ?? 8) * 2 ** 20;

let root: string;
let template: string;
let dataDir: string;
let before: Snapshot;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-kill-migration-"));
  template = join(root, "template");
  dataDir = join(root, "data");
  const till = await startTestGateway();
  const session = await openTill(till);
  await session.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "258025" });
  const scope = { accountId: "default", environment: "test" } as const;
  await till.gateway.context.recharges.setTestWallet(scope, 1_000_000_00);
  const number = "+50251234567";
  for (const transactionId of ["one", "refused"]) {
    const recipientPhoneNumber = transactionId === "one" ? number : "+50251239001";
    const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
    expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  }
  await till.advance(MINUTE);
  await till.gateway.context.transactor.transact("default", (tx) =>
    repeatPurchase(tx, "one", SALES),
  );
  await till.expectCleanBooks();
  await till.gateway.close();
  copyDataDir(till.dataDir, template);
  await till.close();
  before = await look(template);
  expect(before.newer).toEqual([]);
  expect(before.rows.transactions).toBeGreaterThan(SALES);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Snapshot {
  newer: string[] | undefined;
  rows: Record<string, number>;
  balances: unknown[];
}

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function look(dir: string): Promise<Snapshot> {
  const db = openDatabase(dir);
  try {
    const rows: Record<string, number> = {};
    for (const table of await listTables(db)) {
      if (before && !(table in before.rows)) continue;
      const { rows: counted } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)}`.execute(db);
      rows[table] = counted[0]?.n ?? 0;
    }
    const balances = await db.selectFrom("ledger_accounts").selectAll().execute();
    return { newer: (await findSchemaVersion(db))?.unknown, rows, balances };
  } finally {
    await db.destroy();
  }
}

const log = () => `${databaseFile(dataDir)}-wal`;
const logBytes = () => (existsSync(log()) ? statSync(log()).size : 0);

/**
 * Starts the server and kills it when the write-ahead log reaches a size.
 * @returns whether the kill came before the end of the start
 */
async function killAtLogSize(bytes: number): Promise<boolean> {
  let child: ChildProcess | undefined;
  let isOver = false;
  const started = startServerProcess(dataDir, "0", NEWER_ENV, (spawned) => {
    child = spawned;
  }).then(
    (server) => ({ server }),
    (error: unknown) => ({ error }),
  );
  void started.then(() => {
    isOver = true;
  });
  const process = child!;
  const gone = new Promise((resolve) => process.once("exit", resolve));
  await until(() => isOver || logBytes() >= bytes);
  const wasStarted = isOver;
  process.kill("SIGKILL");
  const outcome = await started;
  // A start that failed for another reason must not count as a kill.
  if ("error" in outcome) expect(process.signalCode, String(outcome.error)).toBe("SIGKILL");
  await gone;
  return !wasStarted;
}

interface Kills {
  before: number;
  inside: number;
  after: number;
}

async function noteKill(kills: Kills): Promise<void> {
  const wasWriting = logBytes() > 0;
  const backups = await listBackupFiles(join(dataDir, "backups"));
  const now = await look(dataDir);
  if (now.newer?.length === 1) {
    expect(backups.length).toBeGreaterThan(0);
    kills.after += 1;
    for (const [table, count] of Object.entries(before.rows)) {
      if (!PASSING.has(table)) expect([table, now.rows[table]]).toEqual([table, count]);
    }
    expect(now.balances).toEqual(before.balances);
    copyDataDir(template, dataDir);
  } else {
    expect(now).toEqual(before);
    if (wasWriting) {
      expect(backups.length).toBeGreaterThan(0);
      kills.inside += 1;
    } else kills.before += 1;
    rmSync(join(dataDir, "backups"), { recursive: true, force: true });
  }
}

async function expectWholeStart(): Promise<void> {
  const server = await startServerProcess(dataDir, "0", NEWER_ENV);
  expect(await server.kill("SIGTERM")).toBe(0);
  const now = await look(dataDir);
  expect(now.newer).toHaveLength(1);
  expect(now.balances).toEqual(before.balances);
  expect(now.rows).toMatchObject({
    transactions: before.rows.transactions,
    purchases: before.rows.purchases,
    transaction_log: before.rows.transaction_log,
    ledger_postings: before.rows.ledger_postings,
    staff: before.rows.staff,
    offers: before.rows.offers,
  });
  const audit = await asNewer(() => typeCommand(dataDir, ["audit"]));
  expect(audit.exitCode, audit.stdout + audit.stderr).toBe(0);
}

it("after a kill at any step of a start, the next start finds the database intact and migrates it", async () => {
  copyDataDir(template, dataDir);
  const steps = await countStartSteps(dataDir, NEWER_ENV);
  const kills: Kills = { before: 0, inside: 0, after: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    copyDataDir(template, dataDir);
    await startAndKillAtStep(dataDir, 1 + Math.floor((kill * steps) / KILLS), NEWER_ENV);
    await noteKill(kills);
  }
  // Kills at increasing sizes of the migration's log.
  copyDataDir(template, dataDir);
  for (let bytes = 1, more = true; more; bytes += LOG_STEP_BYTES) {
    more = await killAtLogSize(bytes);
    await noteKill(kills);
  }
  expect(kills.before).toBeGreaterThan(0);
  expect(kills.inside).toBeGreaterThan(0);
  expect(kills.after).toBeGreaterThan(0);
  await expectWholeStart();
});
