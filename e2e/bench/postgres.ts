/**
 * `npm run bench:postgres`: sales per second that gateways on one PostgreSQL accept and finish,
 * compared with single inserts of the same rows, each in its own commit.
 *
 * Prints top-ups per second, their rows as a fraction of the single inserts, response times, and,
 * per sale, log flushes, processor time, statements and round trips, for several numbers of clients,
 * processes and accounts.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool as Database } from "pg";
import { Pool } from "undici";
import { createGateway } from "../../server/index.ts";
import { TEST_OVERRIDES, testConfig } from "../../server/testing/first-day.ts";
import { makeAccounts } from "../../server/testing/many-accounts.ts";
import { startOwnPostgres } from "../../server/testing/postgres-server.ts";
import { buyTopup, OFFER } from "./buy-topup.ts";
import type { ProcessUse } from "./postgres-process.ts";
import { readPostgresUse } from "./postgres-use.ts";
import { median, quantile } from "./quantile.ts";
import { countRows, measureInserts, repeatRows } from "./same-rows.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    clients: { type: "string", default: "1,4,16" },
    processes: { type: "string", default: "1,3" },
    accounts: { type: "string", default: "1,50,1000" },
  },
});
const numbersOf = (text: string) => text.split(",").map(Number);
const SECONDS = Number(values.seconds);
const ACCOUNTS = numbersOf(values.accounts);
const WARM_UP = 30;

interface Process {
  readonly child: ChildProcess;
  readonly pool: Pool;
}

async function startProcess(dataDir: string, address: string, clients: number): Promise<Process> {
  const child = fork(join(import.meta.dirname, "postgres-process.ts"), [dataDir, address]);
  const [url] = (await once(child, "message")) as [string];
  return { child, pool: new Pool(url, { connections: clients }) };
}

/** Returns the use of all processes together. */
async function readUse(processes: readonly Process[]): Promise<ProcessUse> {
  const used = await Promise.all(
    processes.map(async ({ child }) => {
      child.send("");
      const [use] = (await once(child, "message")) as [ProcessUse];
      return use;
    }),
  );
  return used.reduce((sum, use) => ({
    cpu_ms: sum.cpu_ms + use.cpu_ms,
    statements: sum.statements + use.statements,
    roundTrips: sum.roundTrips + use.roundTrips,
  }));
}

const root = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
const dirs = [0, 1, 2].map((n) => join(root, `machine-${n}`));
const server = await startOwnPostgres();
const database = new Database({ connectionString: server.address, max: 16 });
// Idle connections report an error when the server stops.
database.on("error", () => {});

async function countUnfinished(): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    "select count(*) from transactions where status not in ('DONE', 'FAILED')",
  );
  return Number(rows[0]?.count);
}

let number = 0;
function buy({ pool }: Process, key: string): Promise<number> {
  number += 1;
  return buyTopup(pool, key, number);
}

async function measure(keys: readonly string[], clients: number, count: number): Promise<string> {
  const used = dirs.slice(0, count);
  const processes = await Promise.all(
    used.map((dir) => startProcess(dir, server.address, clients)),
  );
  const processOf = (n: number) => processes[n % processes.length] as Process;
  const keyOf = () => keys[Math.floor(Math.random() * keys.length)] ?? "";
  try {
    const rowsBefore = await countRows(database);
    for (let warm = 0; warm < WARM_UP; warm++) await buy(processOf(warm), keyOf());
    while ((await countUnfinished()) > 0) await wait(100);
    const inserts = await repeatRows(database, rowsBefore, await countRows(database), WARM_UP);
    const bound = median([
      await measureInserts(database, inserts, clients),
      await measureInserts(database, inserts, clients),
      await measureInserts(database, inserts, clients),
    ]);
    const usedBefore = await readUse(processes);
    const before = await readPostgresUse(database);
    const times: number[] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        while (performance.now() < began + SECONDS * 1_000) {
          times.push(await buy(processOf(client), keyOf()));
        }
      }),
    );
    const acceptedFor_s = (performance.now() - began) / 1_000;
    while ((await countUnfinished()) > 0) await wait(50);
    const finishedFor_s = (performance.now() - began) / 1_000;
    const accepted = times.length / acceptedFor_s;
    const finished = times.length / finishedFor_s;
    const usedAfter = await readUse(processes);
    const ofSale = (name: keyof ProcessUse) => (usedAfter[name] - usedBefore[name]) / times.length;
    const after = await readPostgresUse(database);
    return [
      String(keys.length).padStart(8),
      String(count).padStart(9),
      String(clients).padStart(7),
      accepted.toFixed(0).padStart(10),
      finished.toFixed(0).padStart(10),
      ((finished * inserts.length) / bound).toFixed(2).padStart(8),
      quantile(times, 0.5).toFixed(1).padStart(7),
      quantile(times, 0.99).toFixed(1).padStart(7),
      ofSale("cpu_ms").toFixed(2).padStart(6),
      ((after.cpu_ms - before.cpu_ms) / times.length).toFixed(2).padStart(9),
      ((after.syncs - before.syncs) / times.length).toFixed(2).padStart(10),
      ofSale("statements").toFixed(1).padStart(10),
      ofSale("roundTrips").toFixed(1).padStart(11),
      bound.toFixed(0).padStart(9),
      String(inserts.length).padStart(9),
    ].join("  ");
  } finally {
    for (const { child, pool } of processes) {
      await pool.close();
      child.disconnect();
      await once(child, "exit");
    }
  }
}

try {
  const [first = ""] = dirs;
  for (const dir of dirs) mkdirSync(dir, { mode: 0o700 });
  const gateway = await createGateway(testConfig(first, server.address), TEST_OVERRIDES);
  const keys = await makeAccounts(gateway, Math.max(...ACCOUNTS), OFFER);
  await gateway.close();
  for (const dir of dirs.slice(1)) {
    copyFileSync(join(first, "secrets.key"), join(dir, "secrets.key"));
  }
  console.log(
    "accounts  processes  clients  accepted/s  finished/s  of bound   p50 ms   p99 ms  CPU ms  PG CPU ms  syncs/sale  statements  round trips  inserts/s  rows/sale",
  );
  for (const accounts of ACCOUNTS) {
    for (const count of numbersOf(values.processes)) {
      for (const clients of numbersOf(values.clients)) {
        console.log(await measure(keys.slice(0, accounts), clients, count));
      }
    }
  }
} finally {
  await database.end();
  await server.stop();
  rmSync(root, { recursive: true, force: true });
}
