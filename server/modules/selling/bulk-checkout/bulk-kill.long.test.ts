import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { OWN_PIN_HEADER } from "../../../contract/pos/operation.ts";
import { readWitness } from "../../../db/commit-witness.ts";
import { openDatabase } from "../../../db/database.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../../../testing/server-process.ts";
import { testRandom } from "../../../testing/simulation/random.ts";
import { OWNER_PIN } from "../../../testing/test-till.ts";
import { nextPoll, until } from "../../../testing/until.ts";

/**
 * Number of lines, a multiple of 200. CI kills the process (`kill -9`) 3 times in 400 lines. By
 * hand: `LINES=1000 KILLS=10`.
 */
const LINES = Number(process.env.LINES ?? 400);
const KILLS = Number(process.env.KILLS ?? 3);
const MAX_COMMITS = 20;
/** Number of lines from one invalid line to the next. */
const FAULTY_EVERY = 40;
const FAILS_EVERY = 25;

let dataDir: string;
let server: ServerProcess;
let cookie = "";
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-bulk-kill-"));
});
afterEach(async () => {
  await server.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

async function pos(method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/pos${path}`, {
    method,
    headers: {
      cookie,
      [OWN_PIN_HEADER]: OWNER_PIN,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const session = response.headers.getSetCookie()[0]?.split(";", 1)[0];
  if (session !== undefined) cookie = session;
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, answer]);
  return answer;
}

async function openShop(): Promise<void> {
  server = await startServerProcess(dataDir);
  const shop = { shopName: "Shop", currency: "GTQ", rate: "7.75", language: "en" };
  await pos("POST", "/setup", { ...shop, ownerPin: OWNER_PIN });
  await pos("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  await typeCommand(dataDir, ["settings", "set", "--idle-lock", "0"]);
  await typeCommand(dataDir, ["wallet", "set", "--env", "test", "--amount", "10000000"]);
}

function table(): string {
  const rows = Array.from({ length: LINES }, (_, index) => {
    const offer = index % FAULTY_EVERY === 7 ? "NO_SUCH_OFFER" : "TIGO_GT_TOPUP_25";
    const end = index % FAILS_EVERY === 3 ? "9001" : "1000";
    return `${offer},+5025${String(index).padStart(3, "0")}${end}`;
  });
  return ["offer,recipient", ...rows].join("\n");
}

async function upload(): Promise<string> {
  const runId = randomUUID();
  await pos("POST", "/bulk-runs", { runId, name: "thousand.csv", text: table() });
  await waitFor(runId, ({ state }) => state === "CHECKED");
  return runId;
}

interface Run {
  state: string;
  faulty: number;
  ready: { lines: number; price: number };
  sold: { lines: number };
  sending: { lines: number };
  delivered: { lines: number; price: number };
  notDelivered: { lines: number };
}

async function waitFor(runId: string, holds: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const run: Run = await pos("GET", `/bulk-runs/${runId}`);
    if (holds(run)) return run;
    await nextPoll();
  }
}

it(`a run of ${LINES} lines that is killed ${KILLS} times sells each valid line once`, async () => {
  const random = testRandom(20_261_123);
  const countCommits = () => readWitness(dataDir)?.commits ?? 0;
  await openShop();
  const runId = await upload();
  const { ready, faulty } = await waitFor(runId, () => true);
  expect(ready.lines + faulty).toBe(LINES);
  expect(faulty).toBe(LINES / FAULTY_EVERY);
  const confirmation = {
    tender: "CASH",
    total: ready.price,
    onlyRight: true,
    acceptWarnings: true,
  };
  await pos("POST", `/bulk-runs/${runId}/confirm`, confirmation);

  for (let kill = 1; kill <= KILLS; kill++) {
    const enough = Math.floor((ready.lines * kill) / (KILLS + 2));
    const seen = await waitFor(runId, ({ sold }) => sold.lines >= enough);
    expect(seen.state).toBe("RUNNING");
    const commits = countCommits() + random.integer(0, MAX_COMMITS);
    await until(() => countCommits() >= commits);
    await server.kill("SIGKILL");
    server = await startServerProcess(dataDir);
    const after = await waitFor(runId, () => true);
    expect(after.sold.lines).toBeGreaterThanOrEqual(seen.sold.lines);
  }
  await waitFor(runId, ({ state, sending }) => state === "DONE" && sending.lines === 0);
  const done = await waitFor(runId, () => true);
  expect(done.sold.lines).toBe(ready.lines);
  expect(done.delivered.lines + done.notDelivered.lines).toBe(ready.lines);

  const again = await upload();
  const refused = await fetch(`${server.url}/pos/bulk-runs/${again}/confirm`, {
    method: "POST",
    headers: { cookie, [OWN_PIN_HEADER]: OWNER_PIN, "content-type": "application/json" },
    body: JSON.stringify(confirmation),
  });
  expect([refused.status, (await refused.json()).errorCode]).toEqual([409, "BULK_SOLD_BEFORE"]);
  expect(await server.kill("SIGTERM")).toBe(0);

  const db = openDatabase(dataDir);
  const sales = await db.selectFrom("sale_lines").select("recipient").execute();
  const delivered = await db
    .selectFrom("simulator_orders")
    .select("transaction_id")
    .where("fulfilled_at", "is not", null)
    .execute();
  await db.destroy();
  expect(sales).toHaveLength(ready.lines);
  expect(new Set(sales.map(({ recipient }) => recipient)).size).toBe(ready.lines);
  expect(delivered).toHaveLength(done.delivered.lines);
  expect(new Set(delivered.map((order) => order.transaction_id)).size).toBe(delivered.length);
  const audit = await typeCommand(dataDir, ["audit", "--json"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
  expect(JSON.parse(audit.stdout).figures[0]).toMatchObject({ unfinished: 0, held: 0 });
});
