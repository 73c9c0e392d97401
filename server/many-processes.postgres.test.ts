import { afterEach, beforeEach, expect, it } from "vitest";
import { isDone, type Load, ManyProcesses } from "./testing/many-processes.ts";
import { type OwnPostgres, startOwnPostgres } from "./testing/postgres-server.ts";

/**
 * Three processes on one PostgreSQL that sell at the same time, of which one is ended again and again, or the
 * server that they share. More:
 * `PROCESS_KILLS=200 PROCESS_RESTARTS=20 POSTGRES_KILLS=50`.
 */
const KILLS = Number(process.env.PROCESS_KILLS ?? 8);
const RESTARTS = Number(process.env.PROCESS_RESTARTS ?? 1);
const CLIENTS = 6;
const MOST_ANSWERS = 12;
/** A lease, and the work of a busy machine. */
const ENDS_WITHIN_MS = 150_000;

const SERVER_KILLS = Number(process.env.POSTGRES_KILLS ?? 3);

let postgres: OwnPostgres;
let shop: ManyProcesses;
beforeEach(async () => {
  postgres = await startOwnPostgres();
  shop = await ManyProcesses.open(postgres.address);
});
afterEach(async () => {
  await shop.close();
  await postgres.stop();
});

interface Purchase {
  transactionId: string;
  status: string;
}

async function listPurchases(): Promise<Purchase[]> {
  const all: Purchase[] = [];
  for (;;) {
    const page = `/v1/topups/purchases?_limit=100&_offset=${all.length}`;
    const { list } = await shop.get<{ list: Purchase[] }>(page);
    all.push(...list);
    if (list.length < 100) return all;
  }
}

/**
 * What is under way ends, and everything that was answered is there, once.
 * @param isSimulatorKilled the provider of the till's sales is in the database: where that was away when it was asked, it
 *   is asked again a quarter of an hour later
 */
async function expectAllThere(load: Load, isSimulatorKilled = false): Promise<void> {
  await load.end();
  const within = { timeout: ENDS_WITHIN_MS, interval: 500 };
  await expect
    .poll(async () => (await listPurchases()).filter(({ status }) => status !== "DONE"), within)
    .toEqual([]);
  if (!isSimulatorKilled) {
    await expect
      .poll(async () => (await shop.listSales()).filter((sale) => !isDone(sale)), within)
      .toEqual([]);
  }

  const purchases = await listPurchases();
  expect(new Set(purchases.map(({ transactionId }) => transactionId))).toEqual(load.purchases);
  expect(purchases).toHaveLength(load.purchases.size);
  // The provider has each, and took it once.
  expect(new Set(shop.taken.keys())).toEqual(load.purchases);
  expect([...shop.taken].filter(([, times]) => times !== 1)).toEqual([]);

  const sales = await shop.listSales();
  expect(new Set(sales.map(({ saleId }) => saleId))).toEqual(load.sales);
  const numbers = sales.map(({ saleNumber }) => saleNumber).toSorted((a, b) => a - b);
  expect(numbers).toEqual(sales.map((_, n) => n + 1));
  // Who followed all of them has seen how each ended.
  await expect
    .poll(() => sales.filter((sale) => isDone(sale) && !shop.followed.has(sale.saleId)), within)
    .toEqual([]);

  await expect
    .poll(() => new Set(webhooks().map(({ transactionId }) => transactionId)), within)
    .toEqual(load.purchases);
  const byPurchase = Map.groupBy(webhooks(), ({ transactionId }) => transactionId);
  for (const [transactionId, sent] of byPurchase) {
    const ids = new Set(sent.map(({ id }) => id));
    expect([transactionId, ids.size]).toEqual([transactionId, 1]);
  }

  const audit = await shop.command("audit", "--json");
  expect(audit.exitCode, audit.stdout).toBe(0);
}

/** What the receiver was sent, again and again where that is so. */
function webhooks(): { id: string; transactionId: string }[] {
  return shop.receiver.received.map(({ headers, body }) => ({
    id: String(headers["webhook-id"]),
    transactionId: JSON.parse(body).transactionId ?? JSON.parse(body).data?.transactionId,
  }));
}

it(`${KILLS} kills of one of three processes: nothing answered is missing, nothing is sent twice`, async () => {
  shop.follow();
  const load = shop.sell(CLIENTS);
  for (let kill = 0; kill < KILLS; kill++) {
    await load.more(shop.random.integer(1, MOST_ANSWERS));
    const n = shop.random.integer(0, 2);
    await shop.end(n, "SIGKILL");
    await load.more(shop.random.integer(0, 2));
    // The last one stays down: the others do what it had begun.
    if (kill < KILLS - 1) await shop.start(n);
  }
  await load.more(MOST_ANSWERS);
  await expectAllThere(load);
});

it(`${RESTARTS} times, each process ends in order and starts again while the others sell`, async () => {
  shop.follow();
  const load = shop.sell(CLIENTS);
  for (let restart = 0; restart < RESTARTS; restart++) {
    for (const n of shop.processes.keys()) {
      await load.more(shop.random.integer(1, MOST_ANSWERS));
      expect(await shop.end(n, "SIGTERM")).toBe(0);
      await load.more(1);
      await shop.start(n);
    }
  }
  await load.more(MOST_ANSWERS);
  await expectAllThere(load);
});

it(`${SERVER_KILLS} kills of PostgreSQL: whatever was answered is there when it is back`, async () => {
  shop.follow();
  const load = shop.sell(CLIENTS);
  for (let kill = 0; kill < SERVER_KILLS; kill++) {
    await load.more(shop.random.integer(1, MOST_ANSWERS));
    await postgres.killAndStart();
  }
  await load.more(MOST_ANSWERS);
  await expectAllThere(load, true);
});
