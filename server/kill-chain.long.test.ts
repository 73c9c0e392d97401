import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "./db/database.ts";
import { MINUTE, SECOND } from "./lib/clock.ts";
import { writerOf } from "./testing/direct-writes.ts";
import { typeCommand } from "./testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "./testing/server-process.ts";
import { Random } from "./testing/simulation/random.ts";

/**
 * A shop that sells through its head office, each a process of its own, killed by turns under load.
 * Whatever is DONE at the one is DONE at the other, once.
 */
const KILLS = 20;
const CLIENTS = 3;
/** Sales that are accepted before the next kill, and how fast each client makes them. */
const MOST_SALES = 5;
const BETWEEN_SALES_MS = 150;
const LONGEST_PAUSE_MS = 60;
/** After so many quarters of an hour nothing may be unfinished any more. */
const ROUNDS = 6;
/** In which whatever is due is done, once both run. */
const TIMEOUT_MS = MINUTE;

const BRANDS = ["TIGO"];
/** How the recipient's number ends: delivered, refused, delivered without an answer. */
const ENDINGS = ["0001", "4567", "9001", "9002", "9005"];

interface Site {
  dataDir: string;
  port: string;
  process: ServerProcess | undefined;
}

let root: string;
let office: Site;
let shop: Site;
let key: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-chain-"));
  // The shop finds its head office at the same address after each start.
  office = { dataDir: join(root, "office"), port: await freePort(), process: undefined };
  shop = { dataDir: join(root, "shop"), port: "0", process: undefined };
  const officeKey = await createKey(office, "test");
  await admin(office, ["wallet", "set", "--env", "test", "--amount", "100000000"]);
  await shrinkCatalog(office);
  key = await createKey(shop, "live");
  await admin(shop, ["wallet", "recharge", "--env", "live", "--amount", "90000000"]);
  await start(office);
  const keyFile = join(root, "key");
  writeFileSync(keyFile, officeKey);
  const url = `http://127.0.0.1:${office.port}`;
  const how = ["--url", url, "--key-file", keyFile, "--allow-private", "yes"];
  await admin(shop, ["upstream", "connect", "--env", "live", ...how]);
  await admin(shop, ["upstream", "sync", "--env", "live"]);
  await start(shop);
});
afterEach(async () => {
  for (const site of [office, shop]) await stop(site, "SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

function freePort(): Promise<string> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(String(typeof address === "object" ? address?.port : 0)));
    });
  });
}

async function admin(site: Site, args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await typeCommand(site.dataDir, args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout.trim();
}

function createKey(site: Site, environment: string): Promise<string> {
  return admin(site, ["keys", "create", "--env", environment, "--name", "t"]);
}

async function start(site: Site): Promise<ServerProcess> {
  site.process = await startServerProcess(site.dataDir, site.port);
  return site.process;
}

async function stop(site: Site, signal: NodeJS.Signals): Promise<void> {
  await site.process?.kill(signal);
  site.process = undefined;
}

/** A catalog that is quick to read. */
async function shrinkCatalog({ dataDir }: Site): Promise<void> {
  const db = openDatabase(dataDir);
  await writerOf(db).deleteFrom("offers").where("brand", "not in", BRANDS).execute();
  await writerOf(db).deleteFrom("promos").execute();
  await writerOf(db).deleteFrom("brands").where("brand", "not in", BRANDS).execute();
  await db.destroy();
}

/** As if a quarter of an hour had passed while the gateway was off. */
async function letQuarterPass({ dataDir }: Site): Promise<void> {
  const db = openDatabase(dataDir);
  const by = 15 * MINUTE + SECOND;
  await writerOf(db)
    .updateTable("jobs")
    .set((row) => ({ run_at: row("run_at", "-", by) }))
    .execute();
  await writerOf(db)
    .updateTable("purchases")
    .set((row) => ({ next_attempt_at: row("next_attempt_at", "-", by) }))
    .where("next_attempt_at", "is not", null)
    .execute();
  await writerOf(db)
    .updateTable("brand_states")
    .set((row) => ({ next_probe_at: row("next_probe_at", "-", by) }))
    .where("next_probe_at", "is not", null)
    .execute();
  await db.destroy();
}

/** Waits until nothing is on its way any more: done, or left for the next quarter of an hour. */
async function rest(server: ServerProcess): Promise<void> {
  const count = async (status: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const query = `_limit=1&_offset=0&status=${status}`;
    const response = await fetch(`${server.url}/v1/transactions?${query}`, { headers });
    return ((await response.json()) as { total: number }).total;
  };
  const until = Date.now() + TIMEOUT_MS;
  for (const status of ["ACCEPTED", "PENDING", "AUTHORIZED", "IN_PROGRESS"]) {
    while ((await count(status)) > 0 && Date.now() < until) await sleep(200);
  }
}

/** Purchases by id, with their status. */
async function purchasesOf({ dataDir }: Site): Promise<Map<string, string>> {
  const db = openDatabase(dataDir);
  const rows = await db
    .selectFrom("transactions")
    .select(["transaction_id", "status"])
    .where("product_type", "=", "TOPUP")
    .execute();
  await db.destroy();
  return new Map(rows.map((row) => [row.transaction_id, row.status]));
}

async function fulfilledBy({ dataDir }: Site): Promise<string[]> {
  const db = openDatabase(dataDir);
  const rows = await db
    .selectFrom("simulator_orders")
    .select("transaction_id")
    .where("fulfilled_at", "is not", null)
    .execute();
  await db.destroy();
  return rows.map((row) => row.transaction_id).sort();
}

function idsThatAre(status: string, purchases: Map<string, string>): string[] {
  return [...purchases].flatMap(([id, each]) => (each === status ? [id] : [])).sort();
}

it(`${KILLS} kills by turns: no sale is made twice, and each ends the same at both`, async () => {
  const random = new Random(20_260_115);
  const accepted = new Set<string>();
  let sent = 0;

  async function sell({ url }: ServerProcess): Promise<void> {
    for (;;) {
      const transactionId = `chain-${sent++}`;
      const response = await fetch(`${url}/v1/topups/purchases`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          offerId: "TIGO_GT_TOPUP_25",
          transactionId,
          recipientPhoneNumber: `+5025123${random.pick(ENDINGS)}`,
        }),
      });
      expect(await response.json()).toEqual({ status: "ACCEPTED", transactionId });
      accepted.add(transactionId);
      await sleep(BETWEEN_SALES_MS);
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const clients = Array.from({ length: CLIENTS }, () => sell(shop.process as ServerProcess));
    const outcomes = Promise.allSettled(clients);
    const enough = accepted.size + random.integer(1, MOST_SALES);
    while (accepted.size < enough) await Promise.race([sleep(1), Promise.all(clients)]);
    await sleep(random.integer(0, LONGEST_PAUSE_MS));
    // The head office goes while sales come in; the shop goes with its clients.
    if (kill % 2 === 0) {
      await stop(office, "SIGKILL");
      await sleep(random.integer(0, LONGEST_PAUSE_MS));
      await start(office);
    }
    await stop(shop, "SIGKILL");
    for (const outcome of await outcomes) {
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(/fetch failed|terminated/);
    }
    await start(shop);
  }

  // An attempt that could not connect is made again a quarter of an hour later, not before.
  for (let round = 0; ; round++) {
    await Promise.all([stop(shop, "SIGTERM"), stop(office, "SIGTERM")]);
    const unfinished = [...(await purchasesOf(shop)).values()].filter(
      (status) => status !== "DONE" && status !== "FAILED",
    );
    if (unfinished.length === 0) break;
    expect(round, `${unfinished.length} are unfinished after ${round} rounds`).toBeLessThan(ROUNDS);
    await Promise.all([letQuarterPass(shop), letQuarterPass(office)]);
    await start(office);
    await rest(await start(shop));
  }

  const [sold, there] = [await purchasesOf(shop), await purchasesOf(office)];
  expect([...accepted].filter((id) => !sold.has(id))).toEqual([]);
  expect([...there.keys()].filter((id) => !sold.has(id))).toEqual([]);
  expect(idsThatAre("DONE", there)).toEqual(idsThatAre("DONE", sold));
  expect(await fulfilledBy(office)).toEqual(idsThatAre("DONE", sold));
  expect(idsThatAre("DONE", sold).length).toBeGreaterThan(KILLS);
  for (const site of [office, shop]) {
    const audit = JSON.parse(await admin(site, ["audit", "--json"]));
    expect(audit.figures[0]).toMatchObject({ unfinished: 0, held: 0 });
  }
});
