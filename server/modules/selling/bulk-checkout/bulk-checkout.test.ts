import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BulkLine, BulkRun } from "../../../contract/pos/bulk-runs.ts";
import type { ShopTenders } from "../../../contract/pos/shop-tenders.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const COST = 297;
const PRICE = 2_635;
const SCOPE = { accountId: "default", environment: "test" } as const;

function tableTo(numbers: readonly string[]): string {
  return ["offer,recipient,note", ...numbers.map((number) => `TIGO_GT_TOPUP_25,${number},`)].join(
    "\n",
  );
}

function numbersTo(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, at) => `+50251${String(from + at).padStart(6, "0")}`);
}

async function upload(text: string, name = "team.csv"): Promise<BulkRun> {
  const runId = randomUUID();
  const made = await owner.pos("POST", "/bulk-runs", { runId, name, text });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  await till.settle();
  return get(runId);
}

async function get(runId: string): Promise<BulkRun> {
  return (await owner.pos("GET", `/bulk-runs/${runId}`)).body;
}

async function readLines(runId: string, show = "ALL"): Promise<BulkLine[]> {
  return (await owner.pos("GET", `/bulk-runs/${runId}/lines?show=${show}&limit=200&offset=0`)).body
    .list;
}

function confirm({ runId, ready }: BulkRun, change: object = {}) {
  const body = { tender: "CASH", total: ready.price, ...change };
  return owner.pos("POST", `/bulk-runs/${runId}/confirm`, body);
}

async function available(): Promise<number> {
  return (await owner.pos("GET", "/wallet")).body.figures.available;
}

async function sell(text: string): Promise<BulkRun> {
  const run = await upload(text);
  const answer = await confirm(run);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await till.advance(MINUTE);
  return get(run.runId);
}

describe("a bulk run", () => {
  it("sells its lines in the shift after one check and one confirmation, and all figures include its sales", async () => {
    const run = await upload(tableTo(["5100 0001", "+502 5100-0002", "00502 51000003"]));
    expect(run).toMatchObject({
      state: "CHECKED",
      lines: 3,
      faulty: 0,
      warned: 0,
      ready: { lines: 3, price: 3 * PRICE, cost: 3 * COST },
      wallet: { shortBy: 0 },
    });
    expect((await owner.pos("GET", "/sales?limit=9&offset=0")).body.total).toBe(0);
    await confirm(run);
    await till.advance(MINUTE);
    const done = await get(run.runId);
    expect(done).toMatchObject({
      state: "DONE",
      tender: "CASH",
      sold: { lines: 3, price: 3 * PRICE },
      delivered: { lines: 3, price: 3 * PRICE },
      ready: { lines: 0 },
    });
    expect(await available()).toBe(100_000 - 3 * COST);
    const sales = (await owner.pos("GET", "/sales?limit=9&offset=0")).body;
    expect(sales).toMatchObject({ total: 3, figures: { sold: 3 * PRICE } });
    const ofFile = (
      await owner.pos("GET", "/figures/parts?firstDay=2026-01-01&lastDay=2026-01-31&by=TILL")
    ).body;
    expect(ofFile.list).toMatchObject([{ value: "FILE", figures: { lines: 3, sold: 3 * PRICE } }]);
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const x = (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body;
    expect(JSON.stringify(x)).toContain(String(3 * PRICE));
    const listed = (
      await till.v1("GET", "/transactions?_limit=9&_offset=0&productType=BULK_CHECKOUT")
    ).body;
    expect(listed.total).toBe(3);
    const ids = (await readLines(run.runId)).map(({ transactionId }) => transactionId);
    const found = listed.list.map((one: BulkLine) => one.transactionId);
    expect(new Set(found)).toEqual(new Set(ids));
  });

  it("shows its phone numbers only to people who may see figures", async () => {
    await sell(tableTo(["+50251000001"]));
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251000002" }]);
    const person = { name: "Ana", role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", person)).body;
    const clerk = await owner.signIn(staffId, person.pin);
    const shown = async (reader: TestTill) => {
      const { list } = (await reader.pos("GET", "/sales?limit=9&offset=0")).body;
      return JSON.stringify(list)
        .match(/5100 ?000\d/g)
        ?.map((number) => number.slice(-1));
    };
    expect(new Set(await shown(owner))).toEqual(new Set(["1", "2"]));
    expect(new Set(await shown(clerk))).toEqual(new Set(["2"]));
    const found = (await clerk.pos("GET", "/found-sales?typed=50251000001")).body;
    expect(JSON.stringify(found)).not.toContain("51000001");
  });

  it("sells each line once if several requests confirm the run simultaneously", async () => {
    const run = await upload(tableTo(numbersTo(5)));
    const answers = await Promise.all([confirm(run), confirm(run), confirm(run)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    await till.advance(MINUTE);
    expect(await available()).toBe(100_000 - 5 * COST);
  });

  it("needs another confirmation if an earlier file had the same lines in any order", async () => {
    const first = await sell(tableTo(numbersTo(3)));
    await till.advance(20 * MINUTE);
    const again = await upload(`\uFEFF${tableTo(numbersTo(3).toReversed())}`.replaceAll(",", ";"));
    expect(again.soldBefore?.runId).toBe(first.runId);
    expect(again.warned).toBe(3);
    const accept = { acceptWarnings: true };
    const refused = await confirm(again, accept);
    expect([refused.status, refused.body.errorCode]).toEqual([409, "BULK_SOLD_BEFORE"]);
    expect(refused.body.fields.runId).toBe(first.runId);
    expect((await confirm(again, { ...accept, sellAgain: true })).status).toBe(200);
    await till.advance(MINUTE);
    expect(await available()).toBe(100_000 - 6 * COST);
  });

  it("can be paused, resumed and stopped, and sells no further line after the stop", async () => {
    const run = await upload(tableTo(numbersTo(120)));
    await confirm(run);
    const paused = await owner.pos("POST", `/bulk-runs/${run.runId}/pause`);
    expect(paused.body).toMatchObject({ state: "PAUSED", pause: "BY_HAND" });
    await till.advance(MINUTE);
    const waiting = await get(run.runId);
    expect(waiting.sold.lines).toBeLessThan(120);
    const { price } = waiting.ready;
    const wrong = await owner.pos("POST", `/bulk-runs/${run.runId}/resume`, { total: price + 1 });
    expect(wrong.body.errorCode).toBe("PRICE_CHANGED");
    await owner.pos("POST", `/bulk-runs/${run.runId}/resume`, { total: price });
    const stopped = (await owner.pos("POST", `/bulk-runs/${run.runId}/stop`)).body;
    await till.advance(MINUTE);
    const after = await get(run.runId);
    expect(after.state).toBe("STOPPED");
    expect(after.left + after.sold.lines).toBe(120);
    expect(after.left).toBeGreaterThan(0);
    expect(after.delivered.lines).toBe(stopped.sold.lines);
    expect(await available()).toBe(100_000 - after.sold.lines * COST);
    expect((await owner.pos("POST", `/bulk-runs/${run.runId}/pause`)).body.errorCode).toBe(
      "BULK_RUN_CHANGED",
    );
  });

  it("pauses when the wallet balance is too low, and resumes after a recharge", async () => {
    const run = await upload(tableTo(numbersTo(30)));
    await confirm(run);
    await till.gateway.context.recharges.setTestWallet(SCOPE, 12 * COST);
    await till.advance(MINUTE);
    const waiting = await get(run.runId);
    expect(waiting).toMatchObject({ state: "PAUSED", pause: "WALLET_SHORT" });
    expect(waiting.notDelivered.lines).toBe(0);
    expect(waiting.wallet.shortBy).toBe(waiting.ready.cost - waiting.wallet.spendable);
    await till.gateway.context.recharges.setTestWallet(SCOPE, 100_000);
    await till.advance(MINUTE);
    const done = await get(run.runId);
    expect(done).toMatchObject({ state: "DONE", delivered: { lines: 30 } });
    expect(await available()).toBe(100_000 - waiting.ready.lines * COST);
  });

  it("sells nothing at a changed price, and resumes after the owner confirms the new price", async () => {
    const run = await upload(tableTo(numbersTo(3)));
    await till.gateway.context.transactor.transact("default", (tx) =>
      tx.updateTable("shops").set({ rate: "8" }).execute(),
    );
    await confirm(run);
    await till.advance(MINUTE);
    const waiting = await get(run.runId);
    expect(waiting).toMatchObject({
      state: "PAUSED",
      pause: "PRICE_CHANGED",
      sold: { lines: 0 },
      ready: { price: 3 * 2_720 },
      repriced: { lines: 3, before: 3 * PRICE, now: 3 * 2_720 },
    });
    await owner.pos("POST", `/bulk-runs/${run.runId}/resume`, { total: 3 * 2_720 });
    await till.advance(MINUTE);
    expect(await get(run.runId)).toMatchObject({
      state: "DONE",
      delivered: { lines: 3, price: 3 * 2_720 },
    });
  });

  it("continues after a restart, and cannot be confirmed without a shift or in another environment", {
    tags: ["thorough"],
  }, async () => {
    const run = await upload(tableTo(numbersTo(60)));
    await confirm(run);
    await till.restart();
    await till.advance(MINUTE);
    expect(await get(run.runId)).toMatchObject({ state: "DONE", delivered: { lines: 60 } });
    const other = await upload(tableTo(numbersTo(3, 500)));
    await till.gateway.context.transactor.transact("default", (tx) =>
      tx.updateTable("shops").set({ till_environment: "live" }).execute(),
    );
    expect((await confirm(other)).status).toBe(404);
    await till.gateway.context.transactor.transact("default", (tx) =>
      tx.updateTable("shops").set({ till_environment: "test" }).execute(),
    );
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    await owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 60 * PRICE });
    expect((await confirm(other)).body.errorCode).toBe("SHIFT_REQUIRED");
  });

  it("rounds the price of each line that is paid in cash by the shop's cash rounding", async () => {
    const { body } = await owner.pos("GET", "/settings");
    expect((await owner.pos("PUT", "/settings", { ...body, cashStep: 50 })).status).toBe(200);
    const done = await sell(tableTo(numbersTo(2)));
    expect(done).toMatchObject({ state: "DONE", delivered: { lines: 2, price: 2 * PRICE } });
    const { list } = (await owner.pos("GET", "/sales?limit=9&offset=0")).body;
    for (const { tenders, change } of list) {
      expect([tenders, change]).toEqual([[{ kind: "CASH", amount: 2_650, tendered: 2_650 }], 0]);
    }
  });

  it("keeps the tender with which it was confirmed, even after an owner retires the tender", async () => {
    const { revision, list } = (await owner.pos("GET", "/tenders")).body;
    const kept = (list as ShopTenders["list"]).map((tender) => {
      const { used: _, ...facts } = tender;
      return facts;
    });
    const school = { name: "School", kind: "OTHER", opensDrawer: false, offered: true };
    const named = await owner.pos("PUT", "/tenders", { base: revision, list: [...kept, school] });
    const { tenderId } = named.body.list[3];
    const run = await upload(tableTo(["+50251230001", "+50251230002"]));
    expect((await confirm(run, { tender: "CARD", tenderId })).body.errorCode).toBe(
      "INVALID_REQUEST",
    );
    expect((await confirm(run, { tender: "OTHER", tenderId })).status).toBe(200);
    const gone = await owner.pos("PUT", "/tenders", { base: revision + 1, list: kept });
    expect(gone.body.fields).toEqual({ list: "must keep School, which may be retired" });
    const retired = { ...school, tenderId, offered: false };
    const body = { base: revision + 1, list: [...kept, retired] };
    expect((await owner.pos("PUT", "/tenders", body)).status).toBe(200);
    await till.advance(MINUTE);
    const sales = (await owner.pos("GET", "/sales?limit=9&offset=0")).body.list;
    expect(sales).toHaveLength(2);
    for (const { tenders } of sales) {
      expect(tenders).toEqual([{ kind: "OTHER", tenderId, name: "School", amount: PRICE }]);
    }
    const next = await upload(tableTo(["+50251230003"]));
    const late = await confirm(next, { tender: "OTHER", tenderId });
    expect([late.status, late.body.errorCode]).toEqual([409, "TENDER_RETIRED"]);
  });

  it("has outcomes that add up to its total and match the ledger, even with failed lines", async () => {
    const endings = ["0001", "9001", "9002", "0002", "9003", "9005"];
    const run = await upload(tableTo(endings.map((end) => `+5025123${end}`)));
    await confirm(run, { tender: "CARD", reference: "A17" });
    await till.advance(60 * MINUTE);
    const done = await get(run.runId);
    expect(done.delivered.lines + done.notDelivered.lines + done.sending.lines).toBe(6);
    expect(done.notDelivered).toEqual({ lines: 2, price: 2 * PRICE });
    expect(done.delivered.price + done.notDelivered.price + done.sending.price).toBe(6 * PRICE);
    expect(await available()).toBe(100_000 - done.delivered.lines * COST);
    const file = (await owner.pos("POST", `/bulk-runs/${run.runId}/results`, { reveal: false }))
      .body;
    const rows = file.text.trim().split("\r\n");
    expect(rows).toHaveLength(7);
    expect(rows[2]).toContain('"NOT_DELIVERED"');
    expect(rows[1]).toContain(`"bulk-${run.runId}-2"`);
    const audit = (await owner.pos("GET", "/audit-trail?limit=50")).body.list;
    const actions = audit.map(({ action }: { action: string }) => action);
    expect(actions).toContain("bulk.confirm");
    expect(actions).not.toContain("bulk.reveal");
  });

  it("shows PINs in its results only to people with the reveal permission, and records the access", async () => {
    const run = await sell("offer,field.recipient.msisdn,recipient\nAIRALO_ES_1GB_7D,,");
    expect(run.delivered.lines).toBe(1);
    const hidden = (await owner.pos("POST", `/bulk-runs/${run.runId}/results`, { reveal: false }))
      .body;
    expect(hidden.text).not.toContain("activationCode");
    const shown = (await owner.pos("POST", `/bulk-runs/${run.runId}/results`, { reveal: true }))
      .body;
    expect(shown.text).toContain("activationCode");
    const audit = (await owner.pos("GET", "/audit-trail?limit=5")).body.list;
    expect(audit[0]).toMatchObject({ action: "bulk.reveal", subject: run.runId });
  });
});

it("a bulk run sells each of hundreds of lines once, and its totals are correct at every second", {
  tags: ["thorough"],
  timeout: 120_000,
}, async () => {
  await till.gateway.context.recharges.setTestWallet(SCOPE, 300 * COST);
  const run = await upload(tableTo(numbersTo(300)));
  await confirm(run);
  for (let second = 0; second < 5; second++) {
    await till.advance(SECOND);
    const seen = await get(run.runId);
    expect(seen.ready.lines + seen.sold.lines).toBe(300);
  }
  await till.advance(2 * MINUTE);
  expect(await get(run.runId)).toMatchObject({ state: "DONE", delivered: { lines: 300 } });
  expect(await available()).toBe(0);
});
