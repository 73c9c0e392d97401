import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPool } from "../../../db/postgres/pool.ts";
import { SECOND } from "../../../lib/clock.ts";
import { type MailServerInTest, startMailServer } from "../../../testing/mail-server.ts";
import { ProcessClock } from "../../../testing/process-clock.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** Runs no job until the test starts it. */
let first: TestGateway;
let second: TestGateway;
/** Clock of the second gateway, which runs no further step after `clock.end()`. */
let clock: ProcessClock;
let owner: TestTill;
let saleId: string;
let server: MailServerInTest;
let answers: Promise<Error | undefined>[];
let pool: ReturnType<typeof openPool>;

const LEASE_MS = 30 * SECOND;

beforeEach(async () => {
  answers = [];
  server = await startMailServer({ beforeAnswer: async () => answers.shift() });
  first = await startTestGateway();
  pool = openPool(first.database!, 2);
  owner = await openTill(first);
  const mail = { host: "127.0.0.1", port: server.port, security: "NONE", user: "", password: "" };
  const set = await owner.pos("PUT", "/mail", { ...mail, from: "till@shop.example" });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  const pages = { enabled: true, publicUrl: "https://receipts.shop.example", keepDays: 30 };
  await owner.pos("PUT", "/receipt-pages", { ...pages, detailsInMail: false });
  const sold = await owner.sell([{ productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" }]);
  saleId = sold.body.saleId;
  await first.advance(SECOND);
  await first.gateway.context.jobs.stop();
  clock = new ProcessClock(first.clock);
  second = await startGatewayBeside(first, { clock });
});
afterEach(async () => {
  await first.expectCleanBooks();
  await pool.end();
  await second.close();
  await first.close();
  await server.close();
});

async function sendAtSecond(): Promise<void> {
  const sent = await second.call("POST", `/pos/sales/${saleId}/receipt-sendings`, {
    headers: { cookie: owner.cookie },
    body: { sendingId: randomUUID(), to: "ana@example.com" },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
}

async function countWaiting(): Promise<number> {
  const { rows } = await pool.query<{ waiting: string }>(
    `select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.waiting);
}

/** Stops the second gateway and makes its leases expire, so that the first takes its jobs. */
async function handOverToFirst(): Promise<void> {
  clock.end();
  await pool.query(`update jobs set lease_until = lease_until - ${LEASE_MS}`);
  await first.gateway.context.jobs.start();
}

async function readSending() {
  return (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body.sendings[0];
}

it("a mail is sent once even if a process pauses right before sending it", async () => {
  server.refuse("busy");
  await sendAtSecond();
  await expect.poll(async () => (await readSending()).fault).toContain("busy");
  await second.settle();
  server.refuse(undefined);
  const stopped = await pool.connect();
  await stopped.query("begin");
  // The lock pauses the sending, which starts with reading this table.
  await stopped.query("lock table settings in access exclusive mode");
  first.clock.set(first.clock.now() + SECOND);
  await expect.poll(() => countWaiting()).toBe(1);
  await handOverToFirst();
  await expect.poll(() => countWaiting()).toBe(2);
  await stopped.query("commit");
  stopped.release();
  await expect.poll(async () => (await readSending()).state).toBe("SENT");
  for (const gateway of [second, first]) await gateway.settle();
  expect(server.mails).toHaveLength(1);
});

it("a mail stays sent if the paused process receives a refusal later", async () => {
  const { promise, resolve: refuse } = Promise.withResolvers<Error>();
  answers = [promise];
  await sendAtSecond();
  await expect.poll(() => server.mails).toHaveLength(1);
  await handOverToFirst();
  await expect.poll(async () => (await readSending()).state).toBe("SENT");
  refuse(Object.assign(new Error("too slow"), { responseCode: 450 }));
  for (const gateway of [second, first]) await gateway.settle();
  const { state, fault } = await readSending();
  expect({ state, fault }).toEqual({ state: "SENT" });
  const ids = server.mails.map(({ source }) => /^Message-ID: .*$/im.exec(source)?.[0]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

it("a mail whose job lease expired before the server accepted the mail is sent later", async () => {
  const { promise, resolve: refuse } = Promise.withResolvers<Error>();
  answers = [promise];
  await sendAtSecond();
  await expect.poll(() => server.mails).toHaveLength(1);
  await pool.query(`update jobs set lease_until = lease_until - ${LEASE_MS}`);
  refuse(Object.assign(new Error("too slow"), { responseCode: 450 }));
  await second.settle();
  expect((await readSending()).state).toBe("WAITING");
  first.clock.set(first.clock.now() + SECOND);
  await expect.poll(async () => (await readSending()).state).toBe("SENT");
  expect(server.mails).toHaveLength(2);
});
