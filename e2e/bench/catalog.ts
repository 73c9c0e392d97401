/**
 * `npm run bench:catalog`: duration of serving and importing 20,000 offers. `-- --offers 200000`
 * sets another size, and measures only the import.
 *
 * Compares a filtered page of 50 offers with a bare Fastify route that sends the same bytes, and an
 * import with `JSON.parse` of the same text. Also measures the delay of other writers, the time to
 * reread the catalog, and the longest pause of responses.
 *
 * `--providers 3` imports 20,000 offers of each provider, all of the same products, and measures
 * the last import, the memory in use and the page of offers.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import fastify from "fastify";
import { createGateway, type Gateway } from "../../server/index.ts";
import { formatCatalogFile, readCatalogFile } from "../../server/modules/catalog/catalog/index.ts";
import { FIRST_PROVIDER } from "../../server/providers/supply.ts";
import { catalogOfProvider, LARGE_CATALOG_OFFERS, largeCatalog } from "./large-catalog.ts";
import { median } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ROUNDS = 7;
const SECONDS = 3;
const CONNECTIONS = 10;
const PAGE = "/v1/topups/offers?_limit=50&_offset=50&country=GT";
const SCOPE = { accountId: "default", environment: "live" } as const;

/** Longest transaction: elapsed time, and processor time of its thread. */
interface Longest {
  transactions: number;
  clock_ms: number;
  cpu_ms: number;
}

async function longestTransaction(
  gateway: Gateway,
  work: () => Promise<unknown>,
): Promise<Longest> {
  const { transactor } = gateway.context;
  const transact = transactor.transact.bind(transactor);
  const longest: Longest = { transactions: 0, clock_ms: 0, cpu_ms: 0 };
  transactor.transact = async (lock, inside) => {
    longest.transactions += 1;
    const before = process.threadCpuUsage();
    const began = performance.now();
    try {
      return await transact(lock, inside);
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      longest.clock_ms = Math.max(longest.clock_ms, performance.now() - began);
      longest.cpu_ms = Math.max(longest.cpu_ms, (user + system) / 1e3);
    }
  };
  await work();
  transactor.transact = transact;
  return longest;
}

async function time(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Throughput of a server in a round. On a shared machine the thread's processor time is the most
 * reliable figure.
 */
interface Served {
  perSecond: number;
  /** Processor time of one request on the server's thread, in microseconds. */
  cpu_us: number;
}

async function load(url: string, headers: Record<string, string>): Promise<Served> {
  const before = process.threadCpuUsage();
  const result = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  });
  const { user, system } = process.threadCpuUsage(before);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed under load`);
  const { average, total } = result.requests;
  return { perSecond: average, cpu_us: (user + system) / total };
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(58)} ${value}`);
}

function describe(served: Served[]): string {
  const perSecond = median(served.map((round) => round.perSecond));
  const cpu_us = median(served.map((round) => round.cpu_us));
  return `${perSecond.toFixed(0)}/s  ${cpu_us.toFixed(0)} µs each`;
}

function ratioOf(ratios: number[]): string {
  return `${median(ratios).toFixed(2)}  (of ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")})`;
}

function describeLongest({ transactions, clock_ms, cpu_ms }: Longest): string {
  const longest = `${ms(clock_ms)}, of which the thread worked ${ms(cpu_ms)}`;
  return `${longest}; ${transactions} transactions`;
}

const { values } = parseArgs({
  options: { offers: { type: "string" }, providers: { type: "string" } },
});
const offers = Number(values.offers ?? LARGE_CATALOG_OFFERS);

const ms = (milliseconds: number) => `${milliseconds.toFixed(0)} ms`;

const dataDir = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
const unlimited = { burst: 1e9, perSecond: 1e9 };
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
  { rateLimit: unlimited, automaticBackups: false },
);
const bare = fastify();

async function benchServing(url: string): Promise<void> {
  const { key } = await gateway.context.keys.create(SCOPE, "bench");
  const headers = { authorization: `Bearer ${key}` };
  const page = await (await fetch(url + PAGE, { headers })).text();
  bare.get("/", (_request, reply) => reply.type("application/json; charset=utf-8").send(page));
  const bareUrl = await bare.listen({ host: "127.0.0.1", port: 0 });

  await load(bareUrl, headers);
  await load(url + PAGE, headers);
  const rounds: { bare: Served; gateway: Served }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await load(bareUrl, headers), gateway: await load(url + PAGE, headers) });
  }
  const { list } = JSON.parse(page) as { list: unknown[] };
  const size = (Buffer.byteLength(page) / 1e3).toFixed(1);
  print(`bare route, a page of ${list.length} (${size} kB)`, describe(rounds.map((r) => r.bare)));
  print("gateway, the same page", describe(rounds.map((r) => r.gateway)));
  const rates = rounds.map((r) => r.gateway.perSecond / r.bare.perSecond);
  const times = rounds.map((r) => r.bare.cpu_us / r.gateway.cpu_us);
  print("gateway to bare, requests per second", ratioOf(rates));
  print("gateway to bare, requests per processor second", ratioOf(times));
}

/** Returns the memory that is in use after garbage collection, in megabytes. */
async function readMemory_MB(): Promise<number> {
  for (let round = 0; round < 10; round++) {
    global.gc?.();
    await setTimeout(20);
  }
  return process.memoryUsage().heapUsed / 1e6;
}

async function setUpShop(url: string): Promise<void> {
  const shop = { shopName: "Bench", currency: "GTQ", rate: "7.75", language: "en" };
  const { ok } = await fetch(`${url}/pos/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...shop, ownerName: "Rosa", ownerPin: "471183" }),
  });
  if (!ok) throw new Error("the shop could not be set up");
}

async function importProvider(number: number): Promise<void> {
  const { input } = readCatalogFile(Buffer.from(formatCatalogFile(catalogOfProvider(number))));
  const providerId = number === 1 ? FIRST_PROVIDER : `p${number}`;
  const origin = { source: "bench", action: "catalog.import", providerId } as const;
  await gateway.context.catalogUpdates.replace(SCOPE, input, origin);
}

async function benchProviders(url: string, count: number): Promise<void> {
  const { catalog, search } = gateway.context;
  await setUpShop(url);
  let locked: Longest | undefined;
  for (let number = 1; number <= count; number++) {
    locked = await longestTransaction(gateway, () => importProvider(number));
  }
  const before_MB = await readMemory_MB();
  const { offers: listed } = await catalog.getSnapshot(SCOPE);
  const after_MB = await readMemory_MB();
  const { text } = await search.get(SCOPE);
  console.log(`${count} providers with ${LARGE_CATALOG_OFFERS} offers each`);
  if (locked) print("last import: others could not write", describeLongest(locked));
  print("offers in lists and the till's search index", `${listed.length}, ${text.length} bytes`);
  print("heap in use", `${after_MB.toFixed(0)} MB; ${before_MB.toFixed(0)} MB without the catalog`);
  await benchServing(url);
}

async function benchOffers(url: string): Promise<void> {
  const { catalogUpdates, catalog } = gateway.context;
  const content = largeCatalog(offers);
  const bytes = Buffer.from(formatCatalogFile(content));
  const text = bytes.toString();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  /** Measures an import except for the reading of its file, which does not block the gateway. */
  async function take(source: Uint8Array): Promise<number> {
    const { input } = readCatalogFile(source);
    delays.reset();
    delays.enable();
    await catalogUpdates.replace(SCOPE, input, { source: "bench", action: "catalog.import" });
    delays.disable();
    return delays.max / 1e6;
  }
  const parse_ms = median(await Promise.all([1, 2, 3].map(() => time(() => JSON.parse(text)))));
  let import_ms = 0;
  let importDelay_ms = 0;
  const locked = await longestTransaction(gateway, async () => {
    import_ms = await time(async () => {
      importDelay_ms = await take(bytes);
    });
  });
  const again_ms = await time(() => take(bytes));
  const dearer = {
    ...content,
    topups: content.topups.map((offer) => ({ ...offer, notes: `${offer.notes}, changed` })),
  };
  const changed = Buffer.from(formatCatalogFile(dearer));
  const exchangeLocked = await longestTransaction(gateway, () => take(changed));
  delays.reset();
  delays.enable();
  const load_ms = await time(() => catalog.getSnapshot(SCOPE));
  delays.disable();
  console.log(`${offers} offers, ${(bytes.length / 1e6).toFixed(1)} MB`);
  print("JSON.parse", ms(parse_ms));
  print(
    "import into an empty environment",
    `${ms(import_ms)}  ${(import_ms / parse_ms).toFixed(1)} ×`,
  );
  print("  the longest that others could not write", describeLongest(locked));
  print("  the longest that the gateway's thread was held up", ms(importDelay_ms));
  print(
    "import that changes every top-up: others could not write",
    describeLongest(exchangeLocked),
  );
  print("import of the same again", `${ms(again_ms)}  ${(again_ms / parse_ms).toFixed(1)} ×`);
  print("read anew by the gateway", ms(load_ms));
  print("  longest time without an answer meanwhile", ms(delays.max / 1e6));
  print("memory, at most", `${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`);
  if (offers === LARGE_CATALOG_OFFERS) await benchServing(url);
}

try {
  const { url } = await gateway.listen();
  if (values.providers) await benchProviders(url, Number(values.providers));
  else await benchOffers(url);
} finally {
  await bare.close();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
