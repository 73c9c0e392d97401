import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readWitness } from "../db/commit-witness.ts";
import { openDatabase } from "../db/database.ts";
import { MINUTE, SECOND, systemClock } from "../lib/clock.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { testRandom } from "../testing/simulation/random.ts";
import { until, untilBeside } from "../testing/until.ts";

/**
 * Kills a shop and its head office alternately. The shop sells through the head office. The same
 * purchases must be DONE at both, each exactly once at the head office. 4 kills in CI, `KILLS=20`
 * by hand.
 */
const KILLS = Number(process.env.KILLS ?? 4);
const CLIENTS = 3;
/** Maximum number of sales accepted before the next kill. */
const MOST_SALES = 5;
/** Maximum number of further commits of the shop before the kill. */
const MAX_COMMITS = 10;
/** Maximum number of retry intervals until all purchases have ended. */
const ROUNDS = 6;

const BRANDS = ["TIGO"];
/**
 * Last digits of phone numbers, which determine the outcome: delivered, refused, delivered without
 * a response.
 */
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
  // A fixed port, so that the shop finds its head office after each restart.
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

async function shrinkCatalog({ dataDir }: Site): Promise<void> {
  const db = openDatabase(dataDir);
  await writerOf(db).deleteFrom("offers").where("brand", "not in", BRANDS).execute();
  await writerOf(db).deleteFrom("promos").execute();
  await writerOf(db).deleteFrom("brands").where("brand", "not in", BRANDS).execute();
  await db.destroy();
}

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

/** If this number of checks finds no new commit, no request is pending. */
const QUIET_LOOKS = 100;

/** Waits until each purchase has ended or waits for a later attempt. */
async function rest(site: Site): Promise<void> {
  const { dataDir } = site;
  const db = openDatabase(dataDir);
  const unfinished = db
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", (join) =>
      join
        .onRef("p.account_id", "=", "t.account_id")
        .onRef("p.environment", "=", "t.environment")
        .onRef("p.transaction_id", "=", "t.transaction_id"),
    )
    .select("p.next_attempt_at")
    .where("t.status", "not in", ["DONE", "FAILED"]);
  try {
    let commits = countCommits(site);
    let quiet = 0;
    await until(async () => {
      const soon = systemClock.now() + MINUTE;
      const rows = await unfinished.execute();
      const isResting = rows.every((row) => (row.next_attempt_at ?? 0) > soon);
      const now = countCommits(site);
      quiet = isResting && now === commits ? quiet + 1 : 0;
      commits = now;
      return rows.length === 0 || quiet >= QUIET_LOOKS;
    });
  } finally {
    await db.destroy();
  }
}

const countCommits = ({ dataDir }: Site) => readWitness(dataDir)?.commits ?? 0;

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

it(`${KILLS} alternate kills: no sale is made twice, and each ends the same at shop and head office`, async () => {
  const random = testRandom(20_260_115);
  const accepted = new Set<string>();
  let sent = 0;
  /** Clients pause when this number of sales has been accepted. */
  let limit = 0;

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
      await until(() => accepted.size < limit);
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const enough = accepted.size + random.integer(1, MOST_SALES);
    limit = enough;
    const clients = Array.from({ length: CLIENTS }, () => sell(shop.process as ServerProcess));
    const outcomes = Promise.allSettled(clients);
    await untilBeside(Promise.all(clients), () => accepted.size >= enough);
    const commits = countCommits(shop) + random.integer(0, MAX_COMMITS);
    limit = accepted.size + MAX_COMMITS;
    await untilBeside(Promise.all(clients), () => countCommits(shop) >= commits);
    // The head office is killed while sales arrive. The shop is killed while its clients use it.
    if (kill % 2 === 0) {
      await stop(office, "SIGKILL");
      // The shop now calls a killed head office.
      const missed = countCommits(shop) + random.integer(0, 2);
      limit += CLIENTS;
      await untilBeside(Promise.all(clients), () => countCommits(shop) >= missed);
      await start(office);
    }
    await stop(shop, "SIGKILL");
    // Paused clients continue, and notice that the shop is gone.
    limit = Number.POSITIVE_INFINITY;
    for (const outcome of await outcomes) {
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(/fetch failed|terminated/);
    }
    await start(shop);
  }

  // An attempt that got no connection is repeated after a quarter of an hour.
  for (let round = 0; ; round++) {
    await Promise.all([stop(shop, "SIGTERM"), stop(office, "SIGTERM")]);
    const unfinished = [...(await purchasesOf(shop)).values()].filter(
      (status) => status !== "DONE" && status !== "FAILED",
    );
    if (unfinished.length === 0) break;
    expect(round, `${unfinished.length} are unfinished after ${round} rounds`).toBeLessThan(ROUNDS);
    await Promise.all([letQuarterPass(shop), letQuarterPass(office)]);
    await start(office);
    await start(shop);
    await rest(shop);
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
