import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readWitness } from "../db/commit-witness.ts";
import { openDatabase } from "../db/database.ts";
import { MINUTE } from "../lib/clock.ts";
import { type MailServerInTest, startMailServer } from "../testing/mail-server.ts";
import { typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { testRandom } from "../testing/simulation/random.ts";
import { nextPoll, untilBeside } from "../testing/until.ts";

/**
 * Kills the real process while it mails receipts through a real mail server. 6 kills in CI,
 * `KILLS=30` by hand.
 */
const KILLS = Number(process.env.KILLS ?? 6);
const CLIENTS = 4;
const MOST_ANSWERS = 6;
/** Maximum number of further mails before the kill. */
const MOST_MAILS = 4;
/** Maximum number of further commits before the kill. */
const MAX_COMMITS = 8;
/** Maximum delay of the mail server's response, in turns of the event loop. */
const MAX_ANSWER_TURNS = 200;
/** Every third kill happens after the mail server accepted a mail and before it responds. */
const KILLED_BETWEEN = 3;
const OFFER = "AMAZON_US_GIFT_25";
const OWNER_PIN = "471183";
const NOBODY = "nobody-";
const ONE_IN = 6;

let dataDir: string;
let mails: MailServerInTest;
let cookie = "";
/** While set, the mail server accepts mails but does not respond. */
let silence: PromiseWithResolvers<void> | undefined;
const random = testRandom(20_261_125);
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-kill-mail-"));
  mails = await startMailServer({
    refuses: (address) => address.startsWith(NOBODY),
    beforeAnswer: () => silence?.promise ?? passTurns(random.integer(0, MAX_ANSWER_TURNS)),
  });
  await typeCommand(dataDir, ["wallet", "set", "--env", "test", "--amount", "100000000"]);
});
afterEach(async () => {
  await mails.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function passTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

const countCommits = () => readWitness(dataDir)?.commits ?? 0;

async function pos(server: ServerProcess, method: string, path: string, body?: object) {
  for (;;) {
    const answer = await fetch(`${server.url}/pos${path}`, {
      method,
      headers: { cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status === 503) {
      await nextPoll();
      continue;
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] || cookie;
    return JSON.parse(text);
  }
}

async function setUpShop(server: ServerProcess) {
  await pos(server, "POST", "/setup", {
    shopName: "Corner Shop",
    currency: "USD",
    language: "en",
    ownerName: "Olga",
    ownerPin: OWNER_PIN,
  });
  await pos(server, "POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  // The till must not lock during the test.
  const settings = await pos(server, "GET", "/settings");
  await pos(server, "PUT", "/settings", { ...settings, idleLockMinutes: 0 });
  await pos(server, "PUT", "/mail", {
    host: "127.0.0.1",
    port: mails.port,
    security: "NONE",
    user: "shop",
    password: "secret",
    from: "till@shop.example",
  });
  await pos(server, "PUT", "/receipt-pages", {
    enabled: true,
    publicUrl: "https://receipts.shop.example",
    keepDays: 30,
    detailsInMail: false,
  });
  return (await pos(server, "POST", "/quotes", { offerId: OFFER })).price as number;
}

interface Asked {
  saleId: string;
  sendingId: string;
  to: string;
}

async function sell(server: ServerProcess, price: number): Promise<string> {
  const saleId = randomUUID();
  const line = { productType: "VOUCHER", offerId: OFFER, transactionId: randomUUID(), price };
  const tenders = [{ kind: "CASH", tendered: price }];
  await pos(server, "POST", "/sales", { saleId, lines: [line], tenders });
  return saleId;
}

function messageIdOf(source: string): string {
  return /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? "";
}

function arrivedAt(to: string): string[] {
  return mails.mails.flatMap((mail) => (mail.to.includes(to) ? messageIdOf(mail.source) : []));
}

it(`${KILLS} kills while receipts are mailed: every requested receipt reaches a final state, and arrives under one message id`, async () => {
  const answered: Asked[] = [];
  const everAsked = new Map<string, Asked>();
  let answers = 0;
  const first = await startServerProcess(dataDir);
  const price = await setUpShop(first);
  expect(await first.kill("SIGTERM")).toBe(0);

  /**
   * Sells and requests receipts by mail until the process is gone. Repeats some requests with the
   * same id.
   */
  async function serve(server: ServerProcess): Promise<void> {
    for (;;) {
      const saleId = await sell(server, price);
      const sendingId = randomUUID();
      const whose = random.integer(1, ONE_IN) === 1 ? NOBODY : "customer-";
      const asked = { saleId, sendingId, to: `${whose}${everAsked.size}@example.com` };
      everAsked.set(asked.to, asked);
      const ask = () =>
        pos(server, "POST", `/sales/${saleId}/receipt-sendings`, { sendingId, to: asked.to });
      await ask();
      answered.push(asked);
      answers += 1;
      if (random.chance(0.5)) await ask();
    }
  }

  for (let kills = 0; kills < KILLS; kills++) {
    const server = await startServerProcess(dataDir);
    const clients = Array.from({ length: CLIENTS }, () => serve(server));
    const outcomes = Promise.allSettled(clients);
    const enough = answers + random.integer(1, MOST_ANSWERS);
    await untilBeside(Promise.all(clients), () => answers >= enough);
    const isBetween = kills % KILLED_BETWEEN === 0;
    if (isBetween) silence = Promise.withResolvers();
    const due = mails.mails.length + (isBetween ? 1 : random.integer(0, MOST_MAILS));
    await untilBeside(Promise.all(clients), () => mails.mails.length >= due);
    const commits = countCommits() + (isBetween ? 0 : random.integer(0, MAX_COMMITS));
    await untilBeside(Promise.all(clients), () => countCommits() >= commits);
    await server.kill("SIGKILL");
    silence?.resolve();
    silence = undefined;
    for (const outcome of await outcomes) {
      expect(String((outcome as PromiseRejectedResult).reason)).toMatch(/fetch failed|terminated/);
    }
  }

  const last = await startServerProcess(dataDir);
  const stateOf = async ({ saleId, sendingId }: Asked) => {
    const { sendings } = await pos(last, "GET", `/sales/${saleId}/receipt-links`);
    return sendings.find((one: { sendingId: string }) => one.sendingId === sendingId);
  };
  expect(answered.length).toBeGreaterThanOrEqual(KILLS);
  for (const asked of answered) {
    await expect
      .poll(async () => (await stateOf(asked))?.state, { timeout: MINUTE })
      .toBe(asked.to.startsWith(NOBODY) ? "FAILED" : "SENT");
    const { fault = "" } = await stateOf(asked);
    expect(fault).toMatch(asked.to.startsWith(NOBODY) ? /no such person here/ : /^$/);
  }
  // A request without a response may still have stored its mail. Such a mail must also reach a
  // final state.
  for (const asked of everAsked.values()) {
    await expect
      .poll(async () => (await stateOf(asked))?.state ?? "NOT WRITTEN", { timeout: MINUTE })
      .toMatch(/^(SENT|FAILED|NOT WRITTEN)$/);
  }
  expect(await last.kill("SIGTERM")).toBe(0);

  const db = openDatabase(dataDir);
  const rows = await db
    .selectFrom("receipt_sendings")
    .innerJoin("mails", "mails.mail_id", "receipt_sendings.mail_id")
    .select(["recipient", "mails.mail_id as mailId", "mails.state as state"])
    .execute();
  const trail = await db
    .selectFrom("audit_trail")
    .select("subject")
    .where("action", "=", "receipt.send")
    .execute();
  await db.destroy();
  // Every stored mail has reached a final state.
  expect(rows.filter(({ state }) => state === "WAITING")).toEqual([]);
  for (const { recipient, mailId, state } of rows) {
    const came = arrivedAt(recipient);
    if (state === "FAILED") expect([recipient, came]).toEqual([recipient, []]);
    else expect(new Set(came)).toEqual(new Set([`<${mailId}@tillgate.invalid>`]));
  }
  // Mails that the server accepted just before a kill were sent again, because their acceptance was
  // not stored.
  const sent = rows.filter(({ state }) => state === "SENT");
  expect(mails.mails.length - sent.length).toBeGreaterThanOrEqual(KILLS / KILLED_BETWEEN);
  const written = new Set(rows.map(({ recipient }) => recipient));
  expect(answered.filter(({ to }) => !written.has(to))).toEqual([]);
  expect(mails.mails.filter(({ to }) => !to.every((address) => written.has(address)))).toEqual([]);
  expect(trail).toHaveLength(rows.length);
  expect(new Set(trail.map(({ subject }) => subject)).size).toBe(rows.length);
  const audit = await typeCommand(dataDir, ["audit", "--json"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
});
