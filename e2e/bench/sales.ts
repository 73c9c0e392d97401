/**
 * `npm run bench:sales`: sales per second that a gateway accepts and finishes, compared with
 * SQLite's maximum if each sale were one commit.
 *
 * For 1 to 256 clients, prints top-ups per second, response times and, per sale, processor time,
 * statements and commits. `-- --against DIR` alternates with the gateway of another checkout.
 * `-- --request-log 5` compares the gateway with and without its request log in 5 pairs.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { buyTopup } from "./buy-topup.ts";
import type { GatewayUse } from "./gateway-process.ts";
import { median, quantile } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    seconds: { type: "string", default: "6" },
    "request-log": { type: "string" },
    clients: { type: "string", default: "1,16,64,256" },
  },
});
const SECONDS = Number(values.seconds);
const CLIENTS = values.clients.split(",").map(Number);
const CHECKOUTS = values.against ? [resolve(values.against), ROOT] : [ROOT];

interface Served {
  accepted: number;
  finished: number;
  p50_ms: number;
  p99_ms: number;
  cpu_ms: number;
  statements: number;
  commits: number;
}

/**
 * Returns SQLite's commits per second. Each commit flushes one row as large as a sale to the disk.
 */
function measureBound(): number {
  const dir = mkdtempSync(join(tmpdir(), "tillgate-bound-"));
  const database = new DatabaseSync(join(dir, "bound.db"));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table sales (sale text)");
  const insert = database.prepare("insert into sales values (?)");
  const sale = "x".repeat(1_000);
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < 2_000; count++) insert.run(sale);
  const perSecond = (count * 1_000) / (performance.now() - began);
  database.close();
  rmSync(dir, { recursive: true });
  return perSecond;
}

/**
 * Sells top-ups in a separate gateway. Each client starts its next sale when the last is accepted.
 */
async function sell(checkout: string, clients: number, flag?: string): Promise<Served> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-sales-"));
  const gateway = fork(join(import.meta.dirname, "gateway-process.ts"), [
    checkout,
    dataDir,
    ...(flag === undefined ? [] : [flag]),
  ]);
  const [{ url, key }] = (await once(gateway, "message")) as [{ url: string; key: string }];
  async function use(): Promise<GatewayUse> {
    gateway.send("");
    const [answer] = (await once(gateway, "message")) as [GatewayUse];
    return answer;
  }
  const pool = new Pool(url, { connections: clients });
  let number = 0;
  const times: number[] = [];
  async function buy(): Promise<void> {
    number += 1;
    times.push(await buyTopup(pool, key, number));
  }
  try {
    for (let warm = 0; warm < 50; warm++) await buy();
    while ((await use()).unfinished > 0) await wait(200);
    times.length = 0;
    const before = await use();
    const began = performance.now();
    const end = began + SECONDS * 1_000;
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (performance.now() < end) await buy();
      }),
    );
    const accepted = times.length;
    const acceptedFor_s = (performance.now() - began) / 1_000;
    while ((await use()).unfinished > 0) await wait(50);
    const after = await use();
    const finishedFor_s = (performance.now() - began) / 1_000;
    return {
      accepted: accepted / acceptedFor_s,
      finished: accepted / finishedFor_s,
      p50_ms: quantile(times, 0.5),
      p99_ms: quantile(times, 0.99),
      cpu_ms: (after.cpu_ms - before.cpu_ms) / accepted,
      statements: (after.statements - before.statements) / accepted,
      commits: (after.commits - before.commits) / accepted,
    };
  } finally {
    await pool.close();
    gateway.disconnect();
    await once(gateway, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Prints the accepted sales and the processor time with the request log, relative to those without
 * it.
 */
async function compareRequestLog(pairs: number): Promise<void> {
  console.log("clients  without/s  with/s  ratio  CPU without/ms  with/ms  ratio");
  for (const clients of CLIENTS) {
    const ratios: number[] = [];
    const cpuRatios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const flags = [undefined, "--no-request-log"];
      const served = new Map<string | undefined, Served>();
      for (const flag of pair % 2 === 0 ? flags : flags.toReversed()) {
        served.set(flag, await sell(ROOT, clients, flag));
      }
      const [on, off] = flags.map((flag) => served.get(flag));
      if (!on || !off) continue;
      ratios.push(on.accepted / off.accepted);
      cpuRatios.push(on.cpu_ms / off.cpu_ms);
      const cells = [
        String(clients).padStart(7),
        off.accepted.toFixed(0).padStart(9),
        on.accepted.toFixed(0).padStart(6),
        (on.accepted / off.accepted).toFixed(3),
        off.cpu_ms.toFixed(3).padStart(14),
        on.cpu_ms.toFixed(3).padStart(7),
        (on.cpu_ms / off.cpu_ms).toFixed(3),
      ];
      console.log(cells.join("  "));
    }
    const medians = `${median(ratios).toFixed(3)}, of CPU ${median(cpuRatios).toFixed(3)}`;
    console.log(`${String(clients).padStart(7)}  median ratio ${medians}`);
  }
}

if (values["request-log"]) {
  await compareRequestLog(Number(values["request-log"]));
  process.exit();
}
for (const checkout of CHECKOUTS) {
  console.log(`\n${checkout === ROOT ? "this checkout" : checkout}`);
  console.log(
    "clients  accepted/s  of bound  finished/s  of bound   p50 ms   p99 ms  CPU ms  statements  commits",
  );
  for (const clients of CLIENTS) {
    const bound = median([measureBound(), measureBound(), measureBound()]);
    const served = await sell(checkout, clients);
    const counted = await sell(checkout, clients, "--count");
    const cells = [
      String(clients).padStart(7),
      served.accepted.toFixed(0).padStart(10),
      (served.accepted / bound).toFixed(3).padStart(8),
      served.finished.toFixed(0).padStart(10),
      (served.finished / bound).toFixed(3).padStart(8),
      served.p50_ms.toFixed(1).padStart(7),
      served.p99_ms.toFixed(1).padStart(7),
      served.cpu_ms.toFixed(2).padStart(6),
      counted.statements.toFixed(1).padStart(10),
      counted.commits.toFixed(2).padStart(7),
    ];
    console.log(cells.join("  "), `  (bound ${bound.toFixed(0)}/s)`);
  }
}
