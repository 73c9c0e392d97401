import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLAIMS } from "../db/account-lock.ts";
import type { Tx } from "../db/database.ts";
import { openPool } from "../db/postgres/pool.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { beginGeneration, goOnWriting } from "../modules/catalog/catalog/catalog-writer.ts";
import type { Order, Provider, ProviderAnswer } from "../providers/provider.ts";
import { fulfilmentOf } from "../providers/simulator/simulator.ts";
import { ProcessClock } from "../testing/process-clock.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { type Receiver, startReceiver } from "../testing/webhook-receiver.ts";

/** Several gateways on one database. When a gateway is gone, another takes over its work. */
let first: TestGateway;
let others: TestGateway[];
let pool: ReturnType<typeof openPool>;
/** Names of the gateways that sent an order, in the order of arrival at the provider. */
let sent: string[];
/** The provider's response to an order. Default: delivered. */
let answer: (order: Order) => Promise<ProviderAnswer>;
let hasArrived: boolean;
let questions: number;
let logged: { level: number; msg: string }[];

const SCOPE = { accountId: "default", environment: "test" } as const;
const OWNER = { accountId: "default", staffId: undefined };
const COST = 297;
const LEASE_MS = 30 * SECOND;
const READERS = 8;
/** Number of a gateway's write connections besides the first. */
const MORE_WRITERS = 4;
const WARNING = 40;
const logStream = { write: (line: string) => void logged.push(JSON.parse(line)) };

beforeEach(async () => {
  sent = [];
  logged = [];
  questions = 0;
  hasArrived = false;
  answer = async (order) => delivered(order);
  others = [];
  first = await startTestGateway({
    providers: { test: providerOf("first") },
    logStream,
  });
  pool = openPool(first.database!, 4);
});
afterEach(async () => {
  await pool.end();
  await first.expectCleanBooks();
  for (const each of others) await each.close();
  await first.close();
});

function delivered(order: Order) {
  const fulfilment = fulfilmentOf(order, first.clock.now());
  return { kind: "fulfilled", fulfilment } as const;
}

function providerOf(name: string): Provider {
  return {
    async submit(order, signal) {
      sent.push(name);
      const cut = new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("no answer")), { once: true });
      });
      return Promise.race([answer(order), cut]);
    },
    async inquire(order) {
      questions += 1;
      return hasArrived ? delivered(order) : { kind: "not-received" };
    },
    refund: () => Promise.reject(new Error("nobody asks for a refund here")),
    readEsim: () => Promise.reject(new Error("nobody asks for a plan here")),
    findBill: () => Promise.reject(new Error("nobody asks for a bill here")),
  };
}

/** Delays the responses to later orders until the returned function is called. */
function holdAnswers(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  answer = async (order) => {
    await promise;
    return delivered(order);
  };
  return resolve;
}

interface Beside {
  gateway: TestGateway;
  /**
   * Kills the gateway: its timers, connections and pending responses are gone, and other gateways
   * are not notified.
   */
  kill(): Promise<void>;
}

async function startBeside(name: string): Promise<Beside> {
  const clock = new ProcessClock(first.clock);
  const providers = { test: providerOf(name) };
  const gateway = await startGatewayBeside(first, { providers, clock, logStream });
  others.push(gateway);
  async function kill(): Promise<void> {
    others = others.filter((each) => each !== gateway);
    clock.end();
    await gateway.gateway.context.db.destroy();
  }
  return { gateway, kill };
}

async function buy({ gateway }: TestGateway, transactionId: string): Promise<void> {
  const wanted = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
  await gateway.context.purchases.buy(SCOPE, "TOPUP", { ...wanted, transactionId });
}

async function read(transactionId: string) {
  return (await first.v1("GET", `/topups/purchases/${transactionId}`)).body;
}

async function passInDatabase(milliseconds: number): Promise<void> {
  for (const [table, column] of [
    ["jobs", "lease_until"],
    ["purchases", "sent_until"],
    ["webhook_deliveries", "sent_until"],
    ["catalog_generations", "written_until"],
  ] as const) {
    await pool.query(`update ${table} set ${column} = ${column} - ${milliseconds}`);
  }
}

async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 5 * SECOND) {
    const step = Math.min(left, 5 * SECOND);
    await passInDatabase(step);
    await first.advance(step);
    for (const each of others) await each.settle();
    await first.settle();
  }
}

describe("an attempt sent by one gateway", () => {
  it("stays with its gateway, even if the attempt takes long while other gateways start and work", async () => {
    const answerNow = holdAnswers();
    await buy(first, "long");
    await expect.poll(() => sent).toEqual(["first"]);
    await startBeside("second");
    await pass(20 * SECOND);
    await startBeside("third");
    await pass(MINUTE);
    expect(questions).toBe(0);
    answerNow();
    await pass(5 * SECOND);
    expect((await read("long")).status).toBe("DONE");
    expect(sent).toEqual(["first"]);
  });

  it.each([
    { where: "before it had arrived", arrived: false, sends: ["second", "first"] },
    { where: "after it had arrived", arrived: true, sends: ["second"] },
  ])("passes to another gateway within the lease if its sender was killed $where", async (kill) => {
    holdAnswers();
    const second = await startBeside("second");
    await buy(second.gateway, "killed");
    await expect.poll(() => sent).toEqual(["second"]);
    await startBeside("third").then((third) => third.kill());
    await second.kill();
    hasArrived = kill.arrived;
    answer = async (order) => delivered(order);
    await pass(LEASE_MS - 5 * SECOND);
    expect(questions).toBe(0);
    await pass(10 * SECOND);
    expect(await read("killed")).toMatchObject({ status: "DONE" });
    expect(sent).toEqual(kill.sends);
    expect(questions).toBe(1);
    const { available, held } = await first.gateway.context.wallet.getBalances(SCOPE);
    await buy(first, "next");
    await pass(5 * SECOND);
    const after = await first.gateway.context.wallet.getBalances(SCOPE);
    expect({ held, spent: available - after.available }).toEqual({ held: 0, spent: COST });
  });

  it("causes an immediate status inquiry if its sender ended normally", async () => {
    holdAnswers();
    const second = await startBeside("second");
    await buy(second.gateway, "ended");
    await expect.poll(() => sent).toEqual(["second"]);
    hasArrived = true;
    others = [];
    await second.gateway.close();
    // Interval at which gateways check for claims. With the real clock, gateways are notified
    // within a second.
    await first.advance(LEASE_MS);
    expect(await read("ended")).toMatchObject({ status: "DONE" });
    expect({ sent, questions }).toEqual({ sent: ["second"], questions: 1 });
  });

  it("causes no status inquiry before its deadline if the provider closed the connection", async () => {
    await startBeside("second");
    answer = () => Promise.reject(new Error("cut"));
    await buy(first, "broken");
    await pass(5 * MINUTE);
    expect({ sent, questions }).toEqual({ sent: ["first"], questions: 0 });
    hasArrived = true;
    await pass(10 * MINUTE + 5 * SECOND);
    expect(await read("broken")).toMatchObject({ status: "DONE" });
    expect({ sent, questions }).toEqual({ sent: ["first"], questions: 1 });
  });

  it("a gateway that was suspended between writing and sending an attempt never sends the attempt", async () => {
    const second = await startBeside("second");
    const turn = await stopBeforeHold(second.gateway, "stalled");
    // After writing the attempt, the second gateway has no free connection for its next step.
    const readers = await takeReaders(second.gateway);
    await turn.release();
    await expect.poll(async () => (await read("stalled")).status).toBe("IN_PROGRESS");
    await passInDatabase(LEASE_MS);
    await first.advance(LEASE_MS + SECOND);
    expect(await read("stalled")).toMatchObject({ status: "DONE" });
    expect(sent).toEqual(["first"]);
    readers.release();
    await pass(LEASE_MS);
    expect(sent).toEqual(["first"]);
  });

  it("starts only once if two gateways have the same job", async () => {
    await startBeside("second");
    answer = async () => ({ kind: "recoverable", message: "the provider is busy" });
    await buy(first, "twice");
    await pass(5 * SECOND);
    const answerNow = holdAnswers();
    const release = await lockAccount();
    first.clock.set(first.clock.now() + 15 * MINUTE);
    await expect.poll(() => countWaiting()).toBe(1);
    // The sending gateway is suspended longer than its lease, so the other gateway also gets the
    // job.
    const writers = await takeWriters(await findLeaseholder());
    await passInDatabase(LEASE_MS);
    first.clock.set(first.clock.now() + LEASE_MS);
    await expect.poll(() => countWaiting()).toBe(2);
    await release();
    writers.release();
    await expect.poll(() => sent).toHaveLength(2);
    await pass(MINUTE);
    answerNow();
    await pass(5 * SECOND);
    expect(await read("twice")).toMatchObject({ status: "DONE" });
    expect({ sent: sent.length, questions }).toEqual({ sent: 2, questions: 0 });
  });
});

describe("a gateway whose lease on a purchase's job expired while it was suspended", () => {
  it("logs no failed job and holds no money if another gateway has delivered the purchase", async () => {
    const before = await readWallet();
    const second = await startBeside("second");
    const writers = await stopWithLease(second.gateway, "late");
    await passInDatabase(LEASE_MS);
    await first.advance(LEASE_MS + SECOND);
    expect(await read("late")).toMatchObject({ status: "DONE" });
    expect(await readWallet()).toEqual({ ...before, available: before.available - COST });
    for (const each of writers) each.release();
    await pass(MINUTE);
    expect(logged.map(({ msg }) => msg)).toContain("another process has done a job");
    expect(logged.filter(({ level }) => level >= WARNING)).toEqual([]);
    expect({ sent, questions }).toEqual({ sent: ["first"], questions: 0 });
    expect(await readWallet()).toEqual({ ...before, available: before.available - COST });
  });

  it("causes no failed job at the gateway that took over, even if the suspended gateway writes first", async () => {
    const before = await readWallet();
    const second = await startBeside("second");
    const turn = await stopBeforeHold(second.gateway, "early");
    const writers = await takeWriters(second.gateway);
    await passInDatabase(LEASE_MS);
    first.clock.set(first.clock.now() + LEASE_MS);
    // Both gateways wait for the account.
    await expect.poll(() => countWaiting()).toBe(2);
    await turn.release();
    writers.release();
    await pass(MINUTE);
    expect(await read("early")).toMatchObject({ status: "DONE" });
    expect(logged.filter(({ level }) => level >= WARNING)).toEqual([]);
    expect({ sent, questions }).toEqual({ sent: ["second"], questions: 0 });
    expect(await readWallet()).toEqual({ ...before, available: before.available - COST });
  });
});

describe("a webhook sent by one gateway", () => {
  let receiver: Receiver;
  let second: Beside;

  beforeEach(async () => {
    receiver = await startReceiver();
    const hook = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
    await first.gateway.context.webhooks.add(OWNER, { ...hook, url: `${receiver.url}/hook` });
    second = await startBeside("second");
    // From here on, `settle` of the second gateway does not wait for requests to this receiver.
    second.gateway.outside.add(receiver);
  });
  afterEach(() => receiver.close());

  it("stays with its gateway, even if its next attempt is due and other gateways start", async () => {
    receiver.behave("hang");
    await buy(second.gateway, "hook");
    await expect.poll(() => receiver.received).toHaveLength(1);
    await first.advance(3 * SECOND);
    const third = await startBeside("third");
    await third.gateway.settle();
    await first.advance(5 * SECOND);
    expect(receiver.received).toHaveLength(1);
    await expect.poll(() => openAttempts()).toBe(1);
    // The attempt is abandoned after ten seconds, and repeated.
    receiver.behave(200);
    await pass(15 * SECOND);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expect(await openAttempts()).toBe(0);
  });

  it("causes at most four simultaneous attempts at one receiver by all gateways together", async () => {
    receiver.behave("hang");
    for (let n = 0; n < 6; n++) await buy(second.gateway, `many-${n}`);
    await expect.poll(() => receiver.received).toHaveLength(4);
    for (let n = 6; n < 12; n++) await buy(first, `many-${n}`);
    await first.advance(5 * SECOND);
    expect(receiver.received).toHaveLength(4);
    receiver.behave(200);
    await pass(2 * MINUTE);
    expect(new Set(receiver.ids).size).toBe(12);
    expect(receiver.received).toHaveLength(16);
  });

  it("passes to another gateway within half a minute if its sender was killed", async () => {
    receiver.behave("hang");
    await buy(second.gateway, "killed");
    await expect.poll(() => receiver.received).toHaveLength(1);
    await second.kill();
    receiver.behave(200);
    await pass(20 * SECOND);
    expect(receiver.received).toHaveLength(1);
    await pass(15 * SECOND);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.ids).size).toBe(1);
    await pass(10 * MINUTE);
    expect(receiver.received).toHaveLength(2);
    expect(await openAttempts()).toBe(0);
  });
});

describe("a purchase whose verification waits for the shop's own system", () => {
  it("stays with the gateway that asked the system, and passes to another when that gateway is gone", async () => {
    const receiver = await startReceiver();
    const hook = { environment: "test", kind: "TRANSACTION", allowPrivate: true } as const;
    await first.gateway.context.webhooks.add(OWNER, { ...hook, url: `${receiver.url}/ask` });
    receiver.behave("hang");
    const second = await startBeside("second");
    second.gateway.outside.add(receiver);
    await buy(second.gateway, "asked");
    await expect.poll(() => receiver.received).toHaveLength(1);
    await startBeside("third");
    await pass(10 * SECOND);
    expect(receiver.received).toHaveLength(1);
    await second.kill();
    receiver.behave(200);
    await pass(25 * SECOND);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(await read("asked")).toMatchObject({ status: "DONE" });
    expect(sent).toHaveLength(1);
    await receiver.close();
  });
});

describe("a catalog written by one gateway", () => {
  it("stays stored while its writer runs, even if other gateways start", async () => {
    const { transactor, claimant } = first.gateway.context;
    const edition = await transactor.transact(SCOPE.accountId, (tx) =>
      beginGeneration(tx, SCOPE, "import-1", claimant),
    );
    const goOn = () =>
      transactor.transact(SCOPE.accountId, (tx: Tx) =>
        goOnWriting(tx, edition, "import-1", claimant),
      );
    await startBeside("second");
    expect(await goOn()).toBe(true);
    await passInDatabase(4 * MINUTE);
    expect(await goOn()).toBe(true);
    await passInDatabase(4 * MINUTE);
    await startBeside("third");
    expect(await goOn()).toBe(true);
    await passInDatabase(5 * MINUTE);
    await startBeside("fourth");
    expect(await goOn()).toBe(false);
  });
});

async function readWallet() {
  const { available, held } = await first.gateway.context.wallet.getBalances(SCOPE);
  return { available, held };
}

async function openAttempts(): Promise<number> {
  const rows = await first.gateway.context.db
    .selectFrom("webhook_attempts")
    .select("position")
    .where("status", "is", null)
    .where("error", "is", null)
    .execute();
  return rows.length;
}

async function lockAccount(): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query("begin");
  await client.query("select 1 from accounts where account_id = 'default' for no key update");
  return async () => {
    await client.query("commit");
    client.release();
  };
}

async function countWaiting(): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.waiting);
}

/** Buys on a gateway. The gateway stops before it holds the money, until `release` is called. */
async function stopBeforeHold(gateway: TestGateway, transactionId: string) {
  // No other work may wait for the account.
  for (const each of [first, ...others]) await each.settle();
  const before = await lockAccount();
  const bought = buy(gateway, transactionId);
  await expect.poll(() => countWaiting()).toBe(1);
  // This lock is queued before the gateway's next step.
  const next = lockAccount();
  await expect.poll(() => countWaiting()).toBe(2);
  await before();
  await bought;
  const after = await next;
  await expect.poll(() => countWaiting()).toBe(1);
  return { release: after };
}

/**
 * Buys on a gateway. The gateway leases the purchase's job, but has no free connection to hold the
 * money.
 */
async function stopWithLease(gateway: TestGateway, transactionId: string) {
  const taken = [await takeWriters(gateway, MORE_WRITERS - 1)];
  const release = await lockAccount();
  const bought = buy(gateway, transactionId);
  await expect.poll(() => countWaiting()).toBe(1);
  // Claims may use the last connection, other writes may not.
  taken.push(await takeWriters(gateway, 1));
  await release();
  await bought;
  await expect.poll(() => findLeaseholder().catch(() => undefined)).toBe(gateway);
  // With its last connection, the gateway would extend the lease.
  taken.push(await takeWriters(gateway, 1));
  return taken;
}

async function findLeaseholder(): Promise<TestGateway> {
  const { rows } = await pool.query<{ owner: string }>(
    "select lease_owner as owner from jobs where lease_owner is not null",
  );
  const [owner, ...more] = new Set(rows.map((row) => row.owner));
  expect(more).toEqual([]);
  const found = [first, ...others].find(({ gateway }) => gateway.context.claimant?.owner === owner);
  if (!found) throw new Error("no gateway has a job");
  return found;
}

/** Takes write connections of a gateway; by default, all but one, which already waits. */
async function takeWriters(
  { gateway }: TestGateway,
  length = MORE_WRITERS,
): Promise<{ release(): void }> {
  const { promise: end, resolve: release } = Promise.withResolvers<void>();
  const taken = Array.from({ length }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void gateway.context.transactor.transact(CLAIMS, async () => {
      resolve();
      await end;
    });
    return promise;
  });
  await Promise.all(taken);
  return { release };
}

async function takeReaders({ gateway }: TestGateway): Promise<{ release(): void }> {
  const { promise: end, resolve: release } = Promise.withResolvers<void>();
  const taken = Array.from({ length: READERS }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void gateway.context.db.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection);
      resolve();
      await end;
    });
    return promise;
  });
  await Promise.all(taken);
  return { release };
}
