/**
 * `npm run bench:backup`: whether a backup of a database of 600 MB slows the gateway down.
 *
 * In one run, over several rounds: how long `/healthz` takes to answer while nothing else is done,
 * and while a backup is made and checked; and how long a purchase takes to be accepted meanwhile.
 * A server in a process of its own that does nothing but answer is measured at the same moments: its
 * slowest answer is the machine's own noise, which no program on it can be under. The gateway's
 * slowest answer should be within 5 times its idle 99th percentile, or within that noise where the
 * machine has more.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { databaseFile } from "../../server/db/database-files.ts";
import { createGateway } from "../../server/index.ts";
import { repeatPurchase } from "../../server/testing/many-sales.ts";
import { median, quantile } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SIZE_BYTES = 600_000_000;
const PURCHASES_AT_ONCE = 20_000;
const IDLE_MS = 10_000;
const ROUNDS = 5;
const GOAL = 5;
const SCOPE = { accountId: "default", environment: "test" } as const;

function print(name: string, value: string): void {
  console.log(`${name.padEnd(58)} ${value}`);
}

const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
const describe = (times: readonly number[]) =>
  `p50 ${ms(quantile(times, 0.5))}  p99 ${ms(quantile(times, 0.99))}  slowest ${ms(Math.max(...times))}  (${times.length} answers)`;

// On a real disk: a database in memory would be copied in no time.
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

/** Buys one after the other until it is stopped; answers how long each took. */
async function buyUntil(prefix: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; !isOver(); n++) {
    times.push(await buy(`${prefix}-${n}`));
    await wait(20);
  }
  return times;
}

const sizeOf = () => statSync(databaseFile(dataDir)).size;

const bareServer = fork(join(import.meta.dirname, "bare-server.ts"));
const [bareUrl] = (await once(bareServer, "message")) as [string];

type Times = readonly number[];

/** Asks an address all the time; each call answers how long the answers since the last call took. */
function startProbe(address: string) {
  const probe = fork(join(import.meta.dirname, "probe.ts"), [address], {
    serialization: "advanced",
  });
  async function timesSinceLast(): Promise<Times> {
    probe.send("");
    const [times] = (await once(probe, "message")) as [Times];
    return times;
  }
  return { timesSinceLast, stop: () => probe.disconnect() };
}

const probes = { gateway: startProbe(`${url}/healthz`), bare: startProbe(bareUrl) };

/** How long answers took while `work` ran: of the gateway, and of the server that does nothing. */
async function during(work: () => Promise<unknown>): Promise<{ gateway: Times; bare: Times }> {
  await Promise.all([probes.gateway.timesSinceLast(), probes.bare.timesSinceLast()]);
  await work();
  const [gateway, bare] = await Promise.all([
    probes.gateway.timesSinceLast(),
    probes.bare.timesSinceLast(),
  ]);
  return { gateway, bare };
}

const slowest = (times: Times) => Math.max(...times);
const rounds = (values: Times) =>
  `median ${ms(median(values))}  (${values.map((value) => value.toFixed(1)).join(", ")})`;

try {
  await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, SCOPE, 1e12));
  await buy("first");
  await wait(3_000);
  for (let part = 0; sizeOf() < SIZE_BYTES; part++) {
    await buy(`part-${part}`);
    await wait(2_500);
    await transactor.transact("default", (tx) =>
      repeatPurchase(tx, `part-${part}`, PURCHASES_AT_ONCE),
    );
  }
  print("database", `${(sizeOf() / 1e6).toFixed(0)} MB`);

  await wait(3_000);
  const idle: { gateway: Times; bare: Times }[] = [];
  const backup: { gateway: Times; bare: Times }[] = [];
  const heldFor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await during(() => wait(IDLE_MS)));
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    backup.push(await during(() => backups.make()));
    delays.disable();
    heldFor.push(delays.max / 1e6);
  }
  const all = (parts: readonly { gateway: Times; bare: Times }[], server: "gateway" | "bare") =>
    parts.flatMap((part) => part[server]);
  const slowestOf = (
    parts: readonly { gateway: Times; bare: Times }[],
    server: "gateway" | "bare",
  ) => parts.map((part) => slowest(part[server]));
  print("/healthz, idle", describe(all(idle, "gateway")));
  print("/healthz during a backup", describe(all(backup, "gateway")));
  print("a server that only answers, idle", describe(all(idle, "bare")));
  print("a server that only answers, during a backup", describe(all(backup, "bare")));
  print("slowest /healthz of each round, idle", rounds(slowestOf(idle, "gateway")));
  print("slowest /healthz of each round, backup", rounds(slowestOf(backup, "gateway")));
  print("slowest of the other server, backup", rounds(slowestOf(backup, "bare")));
  print("longest delay of the gateway's thread, backup", rounds(heldFor));

  let over = false;
  const idleBuying = buyUntil("idle", () => over);
  await wait(IDLE_MS);
  over = true;
  print("a purchase is accepted, idle", describe(await idleBuying));
  over = false;
  const buying = buyUntil("backup", () => over);
  await backups.make();
  over = true;
  print("a purchase is accepted during a backup", describe(await buying));

  const answer = median(slowestOf(backup, "gateway"));
  const idleP99 = quantile(all(idle, "gateway"), 0.99);
  const noise = median(slowestOf(backup, "bare"));
  print("slowest to idle p99", `${(answer / idleP99).toFixed(1)} ×  (the goal is ${GOAL})`);
  print("slowest to the machine's noise", `${(answer / noise).toFixed(1)} ×`);
} finally {
  probes.gateway.stop();
  probes.bare.stop();
  bareServer.disconnect();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
