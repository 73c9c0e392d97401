/**
 * `npm run bench:catalog`: how fast a catalog of 20,000 offers is served and taken in.
 *
 * Served: a filtered page of 50 offers through the whole gateway, beside a bare Fastify route that
 * sends the same bytes, in turns within one run. Taken in: an import, beside `JSON.parse` of the same
 * text; how long it kept other writers waiting; how long the gateway needs to read the catalog anew,
 * and the longest time in which it answered nobody meanwhile.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import autocannon from "autocannon";
import fastify from "fastify";
import { createGateway, type Gateway } from "../../server/index.ts";
import { formatCatalogFile, readCatalogFile } from "../../server/modules/catalog/index.ts";
import { LARGE_CATALOG_OFFERS, largeCatalog } from "./large-catalog.ts";
import { median } from "./median.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ROUNDS = 7;
const SECONDS = 3;
const CONNECTIONS = 10;
const PAGE = "/v1/topups/offers?_limit=50&_offset=50&country=GT";
const SCOPE = { accountId: "default", environment: "live" } as const;

/** Milliseconds of the longest transaction while `work` runs. */
async function longestTransaction(gateway: Gateway, work: () => Promise<unknown>): Promise<number> {
  const { transactor } = gateway.context;
  const transact = transactor.transact.bind(transactor);
  let longest_ms = 0;
  transactor.transact = async (inside) => {
    const began = performance.now();
    try {
      return await transact(inside);
    } finally {
      longest_ms = Math.max(longest_ms, performance.now() - began);
    }
  };
  await work();
  transactor.transact = transact;
  return longest_ms;
}

async function time(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** What a server did in a round: its thread's own time tells most on a machine that others use too. */
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
try {
  const { url } = await gateway.listen();
  const { catalogUpdates, catalog, keys } = gateway.context;

  const content = largeCatalog();
  const bytes = Buffer.from(formatCatalogFile(content));
  const text = bytes.toString();
  async function take(source: Uint8Array): Promise<void> {
    const { input } = readCatalogFile(source);
    await catalogUpdates.replace(SCOPE, input, { source: "bench", action: "catalog.import" });
  }
  const parse_ms = median(await Promise.all([1, 2, 3].map(() => time(() => JSON.parse(text)))));
  let import_ms = 0;
  const locked_ms = await longestTransaction(gateway, async () => {
    import_ms = await time(() => take(bytes));
  });
  const again_ms = await time(() => take(bytes));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const load_ms = await time(() => catalog.getSnapshot(SCOPE));
  delays.disable();
  console.log(`${LARGE_CATALOG_OFFERS} offers, ${(bytes.length / 1e6).toFixed(1)} MB`);
  print("JSON.parse", ms(parse_ms));
  print(
    "import into an empty environment",
    `${ms(import_ms)}  ${(import_ms / parse_ms).toFixed(1)} ×`,
  );
  print("  of which others could not write", ms(locked_ms));
  print("import of the same again", `${ms(again_ms)}  ${(again_ms / parse_ms).toFixed(1)} ×`);
  print("read anew by the gateway", ms(load_ms));
  print("  longest time without an answer meanwhile", ms(delays.max / 1e6));

  const { key } = await keys.create(SCOPE, "bench");
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
} finally {
  await bare.close();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
}
