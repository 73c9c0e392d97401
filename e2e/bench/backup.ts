/**
 * `npm run bench:backup`: size and duration of a full copy and of an increment, and how much they
 * slow the gateway. `SALES=50000` sets the number of sales.
 *
 * Measures `/healthz` while the gateway is idle, during a full copy with its check, and during an
 * increment with the changes of 200 sales; also purchases during a copy. A bare server shows the
 * noise of the machine. The 99th percentile during a copy should be at most 3 times the idle
 * percentile, or within that noise.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { databaseFile } from "../../server/db/database-files.ts";
import { createGateway } from "../../server/index.ts";
import { repeatPurchase } from "../../server/testing/many-sales.ts";
import { quantile } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SALES = Number(process.env.SALES ?? 200_000);
const PURCHASES_AT_ONCE = 10_000;
const SALES_AN_HOUR = 200;
const IDLE_MS = 10_000;
const ROUNDS = 3;
const GOAL = 3;
const SCOPE = { accountId: "default", environment: "test" } as const;

function print(name: string, value: string): void {
  console.log(`${name.padEnd(58)} ${value}`);
}

const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
const describe = (times: readonly number[]) =>
  `p50 ${ms(quantile(times, 0.5))}  p99 ${ms(quantile(times, 0.99))}  slowest ${ms(Math.max(...times))}  (${times.length} answers)`;

// Uses a real disk: copying a database in memory would take no time.
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

/**
 * Buys top-ups until `isOver` returns true. Returns the duration of each purchase, in milliseconds.
 */
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

/**
 * Requests an address continuously. `timesSinceLast` returns the response times since its last
 * call.
 */
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

async function during(work: () => Promise<unknown>): Promise<Measured> {
  await Promise.all([probes.gateway.timesSinceLast(), probes.bare.timesSinceLast()]);
  await work();
  const [gateway, bare] = await Promise.all([
    probes.gateway.timesSinceLast(),
    probes.bare.timesSinceLast(),
  ]);
  return { gateway, bare };
}

interface Measured {
  gateway: Times;
  bare: Times;
}

function all(parts: readonly Measured[], server: keyof Measured): Times {
  return parts.flatMap((part) => part[server]);
}

function inRounds<T>(rounds: readonly T[], show: (round: T) => string): string {
  return rounds.map(show).join(", ");
}

async function makeCopy(): Promise<{ seconds: number; bytes: number }> {
  const began = performance.now();
  const { sizeBytes } = await backups.make();
  return { seconds: (performance.now() - began) / 1_000, bytes: sizeBytes };
}

/**
 * Makes the sales between two backups and waits for delivery. The new ids are spread among the
 * earlier ids.
 */
async function sellAnHour(suffix: string): Promise<void> {
  const distance = Math.floor(SALES / SALES_AN_HOUR);
  for (let n = 0; n < SALES; n += distance) {
    const part = Math.floor(n / PURCHASES_AT_ONCE);
    await buy(`part-${part}-${n % PURCHASES_AT_ONCE}-${suffix}`);
  }
  await wait(3_000);
}

try {
  await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, SCOPE, 1e12));
  await buy("first");
  await wait(3_000);
  for (let part = 0; part * PURCHASES_AT_ONCE < SALES; part++) {
    await buy(`part-${part}`);
    await wait(2_500);
    await transactor.transact("default", (tx) =>
      repeatPurchase(tx, `part-${part}`, PURCHASES_AT_ONCE),
    );
  }
  print("database", `${(sizeOf() / 1e6).toFixed(0)} MB`);

  await wait(3_000);
  for (const kind of ["full copy", "increment"] as const) {
    const idle: Measured[] = [];
    const copy: Measured[] = [];
    const made: { seconds: number; bytes: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await sellAnHour(`${kind === "increment" ? "i" : "f"}${round}`);
      // Without this file the next backup is a full copy.
      if (kind === "full copy") rmSync(join(dataDir, "backup.pages"), { force: true });
      idle.push(await during(() => wait(IDLE_MS)));
      copy.push(await during(async () => made.push(await makeCopy())));
    }
    print(
      `${kind}, bytes`,
      inRounds(made, ({ bytes }) => `${(bytes / 1e6).toFixed(2)} MB`),
    );
    print(
      `${kind}, time`,
      inRounds(made, ({ seconds }) => `${seconds.toFixed(1)} s`),
    );
    print("/healthz, idle", describe(all(idle, "gateway")));
    print(`/healthz, ${kind}`, describe(all(copy, "gateway")));
    print("a server that only answers, idle", describe(all(idle, "bare")));
    print(`a server that only answers, ${kind}`, describe(all(copy, "bare")));
    const p99 = (parts: readonly Measured[], server: keyof Measured) =>
      quantile(all(parts, server), 0.99);
    const times = p99(copy, "gateway") / p99(idle, "gateway");
    print("p99 to the idle p99", `${times.toFixed(1)} ×  (the goal is ${GOAL})`);
    const noise = p99(copy, "bare") / p99(idle, "bare");
    print("the same of the server that only answers", `${noise.toFixed(1)} ×`);
  }

  let over = false;
  const idleBuying = buyUntil("idle", () => over);
  await wait(IDLE_MS);
  over = true;
  print("a purchase is accepted, idle", describe(await idleBuying));
  over = false;
  const buying = buyUntil("backup", () => over);
  await backups.make();
  over = true;
  print("a purchase is accepted during an increment", describe(await buying));
} finally {
  probes.gateway.stop();
  probes.bare.stop();
  bareServer.disconnect();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
