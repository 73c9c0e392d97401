/**
 * `npm run bench:sandboxes`: cost of 100 named sandboxes. Measures their memory when idle ones are
 * closed, the shop's accepted sales per second beside them, and an advance of 24 hours with 1,000
 * open purchases. `-- --seconds N` measures sales longer.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { createGateway, type Gateway } from "../../server/index.ts";
import { median } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SANDBOXES = 100;
const OPEN_PURCHASES = 1_000;
const ROUNDS = 5;
/** Until then, idle sandboxes are closed, and their template is no longer kept. */
const CLOSED_AFTER_MS = 75_000;
const { values } = parseArgs({ options: { seconds: { type: "string", default: "3" } } });
const AUTHOR = { accountId: "default" };

const folder = mkdtempSync(join(tmpdir(), "tillgate-bench-sandboxes-"));
const dirs = { without: join(folder, "without"), beside: join(folder, "beside") };

function open(dataDir: string): Promise<Gateway> {
  return createGateway(
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
    {
      automaticBackups: false,
      auditAtStart: false,
      rateLimit: { burst: 1e9, perSecond: 1e9 },
    },
  );
}

/**
 * Reads the memory. `quiet` is the resident memory of an idle process, with pages that V8 has freed
 * and keeps for later use. `resident` is measured after a garbage collection that returns these
 * pages, and still counts those that malloc keeps.
 */
function readMemory_MB(): { used: number; quiet: number; resident: number } {
  const quiet = process.memoryUsage().rss / 1e6;
  for (let time = 0; time < 2; time++) {
    global.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: (heapUsed + external) / 1e6, quiet, resident: rss / 1e6 };
}

let sent = 0;
function purchase(): string {
  return JSON.stringify({
    offerId: "TIGO_GT_TOPUP_25",
    transactionId: `bench-${++sent}`,
    recipientPhoneNumber: "+50251234567",
  });
}

async function request(url: string, key: string, path: string, body?: string, scenario = "") {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(scenario !== "" && { "x-sandbox-scenario": scenario }),
    },
    ...(body !== undefined && { body }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Fills the folder `beside`. */
async function measureMemoryAndAdvance(): Promise<void> {
  const gateway = await open(dirs.beside);
  const { namedSandboxes } = gateway.context;
  const { url } = await gateway.listen();
  if (!namedSandboxes) throw new Error("the gateway has no sandboxes");
  // Loads all code that a sandbox uses before the memory is measured.
  const first = await namedSandboxes.create(AUTHOR, "first");
  await request(url, first.key, "/v1/balance");
  await namedSandboxes.delete(AUTHOR, "first");
  await wait(CLOSED_AFTER_MS);
  const before = readMemory_MB();
  const keys: string[] = [];
  for (let number = 1; number <= SANDBOXES; number++) {
    keys.push((await namedSandboxes.create(AUTHOR, `s${number}`, { wallet: 1e9 })).key);
  }
  const started = performance.now();
  for (const key of keys) await request(url, key, "/v1/balance");
  const opening_ms = (performance.now() - started) / SANDBOXES;
  await wait(CLOSED_AFTER_MS);
  const after = readMemory_MB();
  const open_count = namedSandboxes.list().filter(({ state }) => state === "OPEN").length;
  const used = (after.used - before.used).toFixed(1);
  const resident = (after.resident - before.resident).toFixed(0);
  const quiet = (after.quiet - before.quiet).toFixed(0);
  console.log(
    `${SANDBOXES} sandboxes, ${open_count} open: ${used} MB in use, ${resident} MB resident, ${quiet} MB without a garbage collection`,
  );
  console.log(`first request of a closed sandbox: ${opening_ms.toFixed(0)} ms`);
  const [key = ""] = keys;
  for (let number = 0; number < OPEN_PURCHASES; number++) {
    await request(url, key, "/v1/topups/purchases", purchase(), "provider-down");
  }
  const begun = performance.now();
  const body = JSON.stringify({ by: "24h" });
  const { finished } = await request(url, key, "/sandbox/v1/clock/advance", body);
  const took_s = (performance.now() - begun) / 1_000;
  console.log(
    `advance 24h, ${OPEN_PURCHASES} open purchases: ${took_s.toFixed(1)} s, ${finished} runs`,
  );
  await gateway.close();
}

async function startProcess(dataDir: string) {
  const child = fork(join(ROOT, "e2e/bench/gateway-process.ts"), [ROOT, dataDir]);
  const [server] = (await once(child, "message")) as [{ url: string; key: string }];
  return { ...server, child };
}

async function measureSales({ url, key }: { url: string; key: string }): Promise<number> {
  const { requests, non2xx } = await autocannon({
    url: `${url}/v1/topups/purchases`,
    connections: 10,
    duration: Number(values.seconds),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    requests: [{ method: "POST", setupRequest: (one) => ({ ...one, body: purchase() }) }],
  });
  if (non2xx > 0) throw new Error(`${non2xx} sales failed`);
  return requests.average;
}

async function compareSales(): Promise<void> {
  const without = await startProcess(dirs.without);
  const beside = await startProcess(dirs.beside);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [without, beside] : [beside, without];
    const rates = new Map<unknown, number>();
    for (const server of order) rates.set(server, await measureSales(server));
    ratios.push((rates.get(beside) ?? 0) / (rates.get(without) ?? 1));
  }
  console.log(`sales beside ${SANDBOXES} sandboxes: ${median(ratios).toFixed(3)} of those without`);
  for (const { child } of [without, beside]) child.kill();
}

try {
  await measureMemoryAndAdvance();
  await compareSales();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
