/**
 * `npm run bench:postgres`: how many sales gateways on one PostgreSQL accept and finish a second, beside
 * single inserts of rows as large into the same server, each a commit of its own.
 *
 * For 1, 4 and 16 clients at once, one process and three, and 1, 50 and 1,000 accounts: top-ups accepted and
 * finished a second, the time of an answer, and processor time of the gateways for a sale. The server is on
 * the same machine, writes to the disk, and shares its processors.
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
import { startOwnPostgres } from "../../server/testing/postgres-server.ts";
import { makeAccounts, OFFER } from "./many-accounts.ts";
import { median } from "./median.ts";

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
const ROW = "x".repeat(1_000);

interface Process {
  readonly child: ChildProcess;
  readonly pool: Pool;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Rows a second of the server itself, each as large as a sale and a commit of its own. */
async function measureBound(database: Database, clients: number): Promise<number> {
  await database.query("create table if not exists bound (row text)");
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (; performance.now() - began < 1_500; count++) {
        await database.query("insert into bound values ($1)", [ROW]);
      }
    }),
  );
  const perSecond = (count * 1_000) / (performance.now() - began);
  await database.query("truncate bound");
  return perSecond;
}

async function startProcess(dataDir: string, address: string, clients: number): Promise<Process> {
  const child = fork(join(import.meta.dirname, "postgres-process.ts"), [dataDir, address]);
  const [url] = (await once(child, "message")) as [string];
  return { child, pool: new Pool(url, { connections: clients }) };
}

async function readCpu(processes: readonly Process[]): Promise<number> {
  const used = await Promise.all(
    processes.map(async ({ child }) => {
      child.send("");
      const [cpu_ms] = (await once(child, "message")) as [number];
      return cpu_ms;
    }),
  );
  return used.reduce((sum, each) => sum + each, 0);
}

const root = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
const dirs = [0, 1, 2].map((n) => join(root, `machine-${n}`));
const server = await startOwnPostgres();
const database = new Database({ connectionString: server.address, max: 16 });

async function countUnfinished(): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    "select count(*) from transactions where status not in ('DONE', 'FAILED')",
  );
  return Number(rows[0]?.count);
}

let number = 0;
async function buy({ pool }: Process, key: string): Promise<number> {
  number += 1;
  const began = performance.now();
  const answer = await pool.request({
    method: "POST",
    path: "/v1/topups/purchases",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      offerId: OFFER,
      transactionId: `bench-${number}`,
      recipientPhoneNumber: `+5025${String(1_000_000 + (number % 9_000) * 900).slice(0, 7)}`,
    }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text}`);
  return performance.now() - began;
}

/** One line of the table. */
async function measure(keys: readonly string[], clients: number, count: number): Promise<string> {
  const used = dirs.slice(0, count);
  const processes = await Promise.all(
    used.map((dir) => startProcess(dir, server.address, clients)),
  );
  const processOf = (n: number) => processes[n % processes.length] as Process;
  const keyOf = () => keys[Math.floor(Math.random() * keys.length)] ?? "";
  try {
    for (let warm = 0; warm < 30; warm++) await buy(processOf(warm), keyOf());
    while ((await countUnfinished()) > 0) await wait(100);
    const bound = median([
      await measureBound(database, clients),
      await measureBound(database, clients),
      await measureBound(database, clients),
    ]);
    const before_ms = await readCpu(processes);
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
    const cpu_ms = ((await readCpu(processes)) - before_ms) / times.length;
    return [
      String(keys.length).padStart(8),
      String(count).padStart(9),
      String(clients).padStart(7),
      accepted.toFixed(0).padStart(10),
      (accepted / bound).toFixed(3).padStart(8),
      finished.toFixed(0).padStart(10),
      quantile(times, 0.5).toFixed(1).padStart(7),
      quantile(times, 0.99).toFixed(1).padStart(7),
      cpu_ms.toFixed(1).padStart(6),
      bound.toFixed(0).padStart(8),
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
  const keys = await makeAccounts(gateway, Math.max(...ACCOUNTS));
  await gateway.close();
  for (const dir of dirs.slice(1)) {
    copyFileSync(join(first, "secrets.key"), join(dir, "secrets.key"));
  }
  console.log(
    "accounts  processes  clients  accepted/s  of bound  finished/s   p50 ms   p99 ms  CPU ms  inserts/s",
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
