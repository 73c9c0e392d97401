import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readWitness } from "../db/commit-witness.ts";
import { openDatabase } from "../db/database.ts";
import { typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { type Random, testRandom } from "../testing/simulation/random.ts";
import { nextPoll, untilBeside } from "../testing/until.ts";

/**
 * Kills the real process with `kill -9` at random points of a mixed load. 12 kills in CI; before a
 * release `KILLS=500 KILL_CLIENTS=64`.
 */
const KILLS = Number(process.env.KILLS ?? 12);
const CLIENTS = Number(process.env.KILL_CLIENTS ?? 4);
const MOST_ANSWERS = 1.5 * CLIENTS;
/** Maximum number of further commits before the kill. */
const MAX_COMMITS = 12;

let dataDir: string;
let key: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-kill-"));
  key = (
    await typeCommand(dataDir, ["keys", "create", "--env", "test", "--name", "t"])
  ).stdout.trim();
  await typeCommand(dataDir, ["wallet", "set", "--env", "test", "--amount", "100000000"]);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Last digits of phone numbers, which determine the outcome: delivered, refused, no response. */
const ENDINGS = ["0001", "4567", "8888", "9001", "9002", "9005"];

function purchase(random: Random, transactionId: string): { path: string; body: object } {
  const number = `+5025123${random.pick(ENDINGS)}`;
  switch (random.pick(["topups", "vouchers", "esim", "billpay"])) {
    case "topups": {
      const offerId = "TIGO_GT_TOPUP_25";
      const body = { offerId, transactionId, recipientPhoneNumber: number };
      return { path: "/topups/purchases", body };
    }
    case "vouchers": {
      const fields = [
        { key: "meter.number", value: "01234567890" },
        { key: "recipient.msisdn", value: number },
      ];
      const value = { type: "ZEND", value: 10_000 };
      const offerId = "ESKOM_ZA_ELECTRICITY_RANGE";
      return { path: "/vouchers/purchases", body: { offerId, transactionId, value, fields } };
    }
    case "esim":
      return { path: "/esim/purchases", body: { offerId: "AIRALO_ES_1GB_7D", transactionId } };
    default: {
      const fields = [
        { key: "accountNumber", value: number },
        { key: "billIdentifier", value: "42" },
      ];
      const value = { type: "ZEND", value: 720_000 };
      const offerId = "AYSA_AR_BILL_WATER";
      return { path: "/billpay/purchases", body: { offerId, transactionId, value, fields } };
    }
  }
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
  body: any;
}

/** Sends a request. Repeats it if the rate limit refuses it, or while a large database is read. */
async function call(server: ServerProcess, path: string, body?: object): Promise<Answer> {
  for (;;) {
    const response = await fetch(`${server.url}/v1${path}`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const answer = { status: response.status, body: await response.json() };
    if (answer.status !== 503 && answer.status !== 429) return answer;
    await nextPoll();
  }
}

const countCommits = () => readWitness(dataDir)?.commits ?? 0;

async function none(server: ServerProcess, statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const page = `/transactions?_limit=1&_offset=0&status=${status}`;
    await expect
      .poll(async () => (await call(server, page)).body.total, {
        timeout: 5 * 60_000,
        interval: 200,
      })
      .toBe(0);
  }
}

it(`${KILLS} kills under load: no confirmed purchase is missing, and none is fulfilled twice`, async () => {
  const random = testRandom(20_260_115);
  /** Last status that a client saw, by transaction id. */
  const answered = new Map<string, string>();
  let sent = 0;
  let answers = 0;
  let kills = 0;

  async function serve(server: ServerProcess): Promise<void> {
    for (;;) {
      const transactionId = `kill-${sent++}`;
      const { path, body } = purchase(random, transactionId);
      const accepted = await call(server, path, body);
      answers += 1;
      expect(accepted.body).toEqual({ status: "ACCEPTED", transactionId });
      answered.set(transactionId, "ACCEPTED");
      const seen = await call(server, `/transactions/${transactionId}`);
      answered.set(transactionId, seen.body.status);
    }
  }

  while (kills < KILLS) {
    const server = await startServerProcess(dataDir);
    const clients = Array.from({ length: CLIENTS }, () => serve(server));
    const outcomes = Promise.allSettled(clients);
    const enough = answers + random.integer(0, MOST_ANSWERS);
    await untilBeside(Promise.all(clients), () => answers >= enough);
    const commits = countCommits() + random.integer(0, MAX_COMMITS);
    await untilBeside(Promise.all(clients), () => countCommits() >= commits);
    await server.kill("SIGKILL");
    kills += 1;
    for (const outcome of await outcomes) {
      // Clients may lose the connection, but never get a wrong response.
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(/fetch failed|terminated/);
    }
  }

  // The start sends accepted purchases. It queries at once the purchases that have no response.
  const last = await startServerProcess(dataDir);
  await none(last, ["ACCEPTED", "PENDING", "AUTHORIZED"]);
  expect(await last.kill("SIGTERM")).toBe(0);
  const server = await startServerProcess(dataDir);
  await none(server, ["ACCEPTED", "PENDING", "AUTHORIZED", "IN_PROGRESS"]);
  expect(answered.size).toBeGreaterThan(KILLS);
  for (const [transactionId, told] of answered) {
    const { body } = await call(server, `/transactions/${transactionId}`);
    expect(body.transactionId).toBe(transactionId);
    // A final status does not change.
    if (told === "DONE" || told === "FAILED") {
      expect([transactionId, body.status]).toEqual([transactionId, told]);
    }
  }
  expect(await server.kill("SIGTERM")).toBe(0);

  const db = openDatabase(dataDir);
  const delivered = await db
    .selectFrom("simulator_orders")
    .select("transaction_id")
    .where("fulfilled_at", "is not", null)
    .orderBy("transaction_id")
    .execute();
  const done = await db
    .selectFrom("transactions")
    .select("transaction_id")
    .where("type", "=", "DEBIT")
    .where("status", "=", "DONE")
    .where("product_type", "in", ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"])
    .orderBy("transaction_id")
    .execute();
  await db.destroy();
  expect(done).toEqual(delivered);
  const audit = await typeCommand(dataDir, ["audit", "--json"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
  expect(JSON.parse(audit.stdout).figures[0]).toMatchObject({ unfinished: 0, held: 0 });
});
