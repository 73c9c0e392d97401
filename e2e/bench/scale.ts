/**
 * `npm run bench:scale`: durations that grow with a shop's sales, compared with a small shop.
 *
 * Makes a database of each size (`-- --sales 10000,1000000`), and sends the same requests
 * alternately to a gateway over each. Prints the time for each size, and the ratio of the largest
 * to the smallest. `--keep DIR` stores and reuses the databases; `--only today,report` measures
 * only names with one of these words.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { databaseFile } from "../../server/db/database-files.ts";
import { makeFirstSales } from "./first-sales.ts";
import { median } from "./quantile.ts";
import { BESIDE, measureBeside, writeBareReport } from "./scale-beside.ts";
import type { Work, WorkDone } from "./scale-gateway.ts";
import { LONG_WORK, QUESTIONS, type Shop, signIn } from "./scale-questions.ts";
import { addSales } from "./years-of-sales.ts";

const ROUNDS = 15;
/** Time in milliseconds after which a measurement does not repeat its request. */
const LONGEST_MS = 15_000;
const { values } = parseArgs({
  options: {
    sales: { type: "string", default: "10000,1000000" },
    keep: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const SIZES = values.sales.split(",").map(Number);
const keptIn = values.keep && resolve(values.keep);
const dir = keptIn ?? mkdtempSync(join(tmpdir(), "tillgate-scale-"));

const ms = (milliseconds: number) => `${milliseconds.toFixed(milliseconds < 100 ? 2 : 0)} ms`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

function print(name: string, measured: readonly number[], unit: (value: number) => string): void {
  const ratio = (measured.at(-1) ?? 0) / (measured[0] ?? 0);
  const cells = measured.map((value) => unit(value).padStart(12)).join("");
  console.log(`${name.padEnd(48)}${cells}${ratio.toFixed(2).padStart(9)} ×`);
}

const isAsked = (name: string) => values.only.split(",").some((part) => name.includes(part));

async function makeShop(sales: number): Promise<string> {
  const dataDir = join(dir, `sales-${sales}`);
  if (existsSync(dataDir)) return dataDir;
  const unfinished = `${dataDir}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const began = performance.now();
  await addSales(unfinished, await makeFirstSales(unfinished), sales);
  renameSync(unfinished, dataDir);
  console.log(`${sales} sales were made in ${((performance.now() - began) / 1e3).toFixed(0)} s`);
  return dataDir;
}

async function waitUntilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await wait(50);
}

async function open(sales: number, dataDir: string) {
  const began = performance.now();
  const child = fork(join(import.meta.dirname, "scale-gateway.ts"), [dataDir]);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const listens_ms = performance.now() - began;
  const keyed = once(child, "message");
  await waitUntilReady(url);
  const sells_ms = performance.now() - began;
  const [{ key }] = (await keyed) as [{ key: string }];
  const checked_ms = performance.now() - began;
  const shop: Shop = await signIn({ sales, url, key });
  return {
    shop,
    url,
    listens_ms,
    sells_ms,
    checked_ms,
    async ask(work: Work): Promise<WorkDone> {
      child.send(work);
      const [done] = (await once(child, "message")) as [WorkDone];
      return done;
    },
    async close() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

function printStarts(name: string, opened: readonly Opened[]): void {
  const of = (time: "listens_ms" | "sells_ms" | "checked_ms") => opened.map((one) => one[time]);
  print(`${name}: listens`, of("listens_ms"), ms);
  print(`${name}: sells`, of("sells_ms"), ms);
  print(`${name}: the file was read`, of("checked_ms"), ms);
}

/** Sends each request to the gateways alternately, so that disturbances affect all of them. */
async function measureInTurns(
  opened: readonly Opened[],
  ask: (shop: Shop) => Promise<unknown>,
): Promise<number[]> {
  const times = opened.map((): number[] => []);
  const end = performance.now() + LONGEST_MS;
  for (let round = -2; round < ROUNDS; round++) {
    if (round > 0 && performance.now() > end) break;
    for (const [index, { shop }] of opened.entries()) {
      const began = performance.now();
      await ask(shop);
      if (round >= 0) times[index]?.push(performance.now() - began);
    }
  }
  return times.map((of) => median(of));
}

try {
  const shops: { sales: number; dataDir: string }[] = [];
  for (const sales of SIZES) shops.push({ sales, dataDir: await makeShop(sales) });
  console.log(`${"".padEnd(48)}${SIZES.map((size) => String(size).padStart(12)).join("")}`);
  print(
    "database",
    shops.map(({ dataDir }) => statSync(databaseFile(dataDir)).size),
    mb,
  );
  const opened: Opened[] = [];
  for (const { sales, dataDir } of shops) {
    // Removes the record of an orderly stop, so that the gateway starts as after a power cut.
    rmSync(`${databaseFile(dataDir)}-clean`, { force: true });
    opened.push(await open(sales, dataDir));
  }
  printStarts("start after a power cut", opened);
  for (const [index, { sales, dataDir }] of shops.entries()) {
    await opened[index]?.close();
    opened[index] = await open(sales, dataDir);
  }
  printStarts("start after an orderly end", opened);
  // Waits until the clean-up and preparation after the start have ended.
  await wait(3_000);
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    if (isAsked(name)) print(name, await measureInTurns(opened, ask), ms);
  }
  for (const [name, ask] of Object.entries(LONG_WORK)) {
    if (!isAsked(name)) continue;
    const times: number[] = [];
    for (const { shop } of opened) {
      const began = performance.now();
      await ask(shop);
      times.push(performance.now() - began);
    }
    print(name, times, ms);
  }
  for (const work of BESIDE) {
    if (isAsked(work)) await measureBeside(work, opened, print);
  }
  if (isAsked("report")) {
    const bare: number[] = [];
    for (const { dataDir } of shops) bare.push(await writeBareReport(dataDir));
    print("report of all time, a bare iterate()", bare, ms);
  }
  const memory = await Promise.all(opened.map((gateway) => gateway.ask("memory")));
  print(
    "memory",
    memory.map(({ rss_bytes }) => rss_bytes),
    mb,
  );
  for (const gateway of opened) await gateway.close();
} finally {
  if (!keptIn) rmSync(dir, { recursive: true, force: true });
}
