/**
 * `npm run bench:backup`: whether anybody notices that a backup is made of a database of 600 MB.
 *
 * In one run: how long `/healthz` takes to answer while nothing else is done, and while a backup is
 * made and checked, asked by a process of its own; and how long a purchase takes to be accepted
 * meanwhile. The slowest answer should be within 5 times the 99th percentile of the idle gateway, on
 * a machine that does nothing else.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { databaseFile } from "../../server/db/database.ts";
import { createGateway } from "../../server/index.ts";
import { repeatPurchase } from "../../server/testing/many-sales.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SIZE_BYTES = 600_000_000;
const PURCHASES_AT_ONCE = 20_000;
const IDLE_MS = 20_000;
const GOAL = 5;
const SCOPE = { accountId: "default", environment: "test" } as const;

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function tell(name: string, value: string): void {
  console.log(`${name.padEnd(58)} ${value}`);
}

const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
const describe = (times: readonly number[]) =>
  `p50 ${ms(quantile(times, 0.5))}  p99 ${ms(quantile(times, 0.99))}  slowest ${ms(Math.max(...times))}  (${times.length} answers)`;

// On a real disk: what lies in memory is copied as if there were none.
const dataDir = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
const gateway = await createGateway(
  {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(dataDir, "no-pages"),
    resourcesDir: join(ROOT, "resources"),
    logFile: undefined,
    logLevel: "silent",
    allowedHosts: [],
  },
  { automaticBackups: false, rateLimit: { burst: 1e9, perSecond: 1e9 } },
);
const { url } = await gateway.listen();
const { transactor, recharges, keys, backups } = gateway.context;
const { key } = await keys.create(SCOPE, "bench");

async function buy(transactionId: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${url}/v1/topups/purchases`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      offerId: "TIGO_GT_TOPUP_25",
      transactionId,
      recipientPhoneNumber: "+50251234567",
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  return performance.now() - began;
}

/** Buys one after the other until it is told to stop; answers how long each took. */
async function buyUntil(prefix: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; !isOver(); n++) {
    times.push(await buy(`${prefix}-${n}`));
    await wait(20);
  }
  return times;
}

const sizeOf = () => statSync(databaseFile(dataDir)).size;

const probe = fork(join(import.meta.dirname, "probe.ts"), [`${url}/healthz`], {
  serialization: "advanced",
});
async function timesSinceLast(): Promise<number[]> {
  probe.send("");
  const [times] = (await once(probe, "message")) as [number[]];
  return times;
}

try {
  await transactor.transact((tx) => recharges.rechargeSandbox(tx, SCOPE, 1e12));
  await buy("first");
  await wait(3_000);
  for (let part = 0; sizeOf() < SIZE_BYTES; part++) {
    await buy(`part-${part}`);
    await wait(2_500);
    await transactor.transact((tx) => repeatPurchase(tx, `part-${part}`, PURCHASES_AT_ONCE));
  }
  tell("database", `${(sizeOf() / 1e6).toFixed(0)} MB`);

  await wait(3_000);
  await timesSinceLast();
  await wait(IDLE_MS);
  const idle = await timesSinceLast();
  tell("/healthz, idle", describe(idle));
  let over = false;
  const idleBuying = buyUntil("idle", () => over);
  await wait(IDLE_MS / 2);
  over = true;
  tell("a purchase is accepted, idle", describe(await idleBuying));

  over = false;
  const delays = monitorEventLoopDelay({ resolution: 1 });
  await timesSinceLast();
  delays.enable();
  const began = performance.now();
  await backups.make();
  tell("a backup is made and checked", ms(performance.now() - began));
  delays.disable();
  const during = await timesSinceLast();
  tell("/healthz meanwhile", describe(during));
  tell("longest delay of the gateway's thread meanwhile", ms(delays.max / 1e6));

  const buying = buyUntil("backup", () => over);
  await backups.make();
  over = true;
  tell("a purchase is accepted during another backup", describe(await buying));
  const ratio = Math.max(...during) / quantile(idle, 0.99);
  tell("slowest to idle p99", `${ratio.toFixed(1)} ×  (the goal is ${GOAL})`);
} finally {
  probe.disconnect();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
