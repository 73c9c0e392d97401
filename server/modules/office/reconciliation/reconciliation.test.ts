import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { markAskedForADay } from "../../../testing/asked-for-a-day.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { refuseRowsOf, takeRowsOf, writerOf } from "../../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { createMetricsToken } from "../../operations/monitoring/index.ts";

const OFFER = "TIGO_GT_TOPUP_25";
const COST = 297;
const ESIM_OFFER = "AIRALO_ES_1GB_7D";
const ESIM_COST = 328;
const FUNDS = 100_000;
const TEST = { accountId: "default", environment: "test" } as const;

/** Whether the simulated provider stops responding. */
let silent: boolean;
let nextOutcome: ProviderAnswer | undefined;
let till: TestGateway;
let owner: TestTill;

function orSilence<T>(answer: () => Promise<T>): Promise<T> {
  return silent ? Promise.reject(new Error("no answer")) : answer();
}

function createProvider(): Provider {
  function simulator(): Simulator {
    const { db, transactor, clock } = till.gateway.context;
    return new Simulator({ db, transactor, clock });
  }
  return {
    submit: (order, signal) => orSilence(() => simulator().submit(order, signal)),
    inquire: async (order) => nextOutcome ?? orSilence(() => simulator().inquire(order)),
    refund: (order) => orSilence(() => simulator().refund(order)),
    readEsim: (esim) => simulator().readEsim(esim),
    findBill: (query) => simulator().findBill(query),
  };
}

beforeEach(async () => {
  silent = true;
  nextOutcome = undefined;
  const provider = createProvider();
  till = await startTestGateway({ providers: { test: provider, live: provider } });
  owner = await openTill(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

/** Advances past a day of status inquiries, after which sessions have expired. */
async function aDayLater(): Promise<void> {
  await till.settle();
  await markAskedForADay(till);
  till.clock.set(till.clock.now() + DAY);
  await till.advance(SECOND);
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
}

async function flagged(transactionId: string): Promise<void> {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  await till.v1("POST", "/topups/purchases", body);
  await aDayLater();
}

/** @returns the id of a refund that the provider does not respond to */
async function flaggedRefund(purchaseId: string): Promise<string> {
  silent = false;
  await till.v1("POST", "/esim/purchases", { offerId: ESIM_OFFER, transactionId: purchaseId });
  await till.advance(2 * SECOND);
  silent = true;
  const asked = await till.v1("POST", `/esim/purchases/${purchaseId}/refund`);
  expect(asked.status).toBe(200);
  await aDayLater();
  return asked.body.transactionId;
}

function list(environment = "test") {
  return owner.pos("GET", `/reconciliation?environment=${environment}&limit=50&offset=0`);
}

function settle(transactionId: string, outcome: string, more: object = {}) {
  const body = { environment: "test", outcome, ...more };
  return owner.pos("POST", `/reconciliation/${transactionId}`, body);
}

async function balance(): Promise<number> {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}

async function trail() {
  const rows = await till.gateway.context.db
    .selectFrom("audit_trail")
    .select(["staff_id", "subject", "detail_json", "recorded_at"])
    .where("action", "=", "reconciliation.settle")
    .orderBy("entry_id")
    .execute();
  return rows.map(({ staff_id, subject, detail_json, recorded_at }) => ({
    staffId: staff_id,
    subject,
    detail: JSON.parse(detail_json) as object,
    at: recorded_at,
  }));
}

describe("an open case", () => {
  it("shows all facts for the decision on a sale", async () => {
    expect((await list()).body).toEqual({ limit: 50, offset: 0, total: 0, list: [] });
    const line = { offerId: OFFER, recipientPhoneNumber: "+50251234567", transactionId: "sold" };
    const sale = (await owner.sell([line])).body;
    await till.advance(HOUR);
    await aDayLater();
    const { body } = await list();
    expect(body.total).toBe(1);
    const record = (await till.v1("GET", "/topups/purchases/sold")).body;
    const [found] = body.list;
    expect(found).toMatchObject({
      transactionId: "sold",
      environment: "test",
      kind: "TOPUP",
      offerId: OFFER,
      brand: record.brand,
      recipient: "+50251234567",
      send: record.send,
      sendCurrency: "GTQ",
      cost: COST,
      costCurrency: "USD",
      costCurrencyDivisor: 100,
      price: sale.total,
      priceCurrency: "USD",
      acceptedAt: record.createdAt,
      failedAt: record.updatedAt,
      error: { code: "RETRY_WINDOW_EXPIRED" },
      attempts: 1,
      log: record.log,
      lastWord: "It never answered.",
      provider: { kind: "simulator", connected: true },
      sale: { saleId: sale.saleId, saleNumber: 1, clerk: "Olga" },
    });
    expect(found.title).not.toBe("");
    expect(found.refundedTransactionId).toBeUndefined();
    expect(found.decisions.delivered).toMatch(/charged 2\.97 USD\. A new DEBIT takes 2\.97 USD/);
    expect(found.decisions.delivered).toContain("sale 1 was told that nothing was delivered");
    expect(found.decisions.notDelivered).toMatch(/charged nothing\. Nothing is booked/);
  });

  it("names no sale if a program made the purchase, and shows that the provider was processing it", async () => {
    nextOutcome = { kind: "working", checkAgainAt: till.clock.now() + 20 * MINUTE };
    const body = { offerId: OFFER, transactionId: "api", recipientPhoneNumber: "+50251234567" };
    await till.v1("POST", "/topups/purchases", body);
    await till.advance(15 * MINUTE);
    nextOutcome = undefined;
    await aDayLater();
    const [found] = (await list()).body.list;
    expect(found.sale).toBeUndefined();
    expect(found.lastWord).toMatch(/^It had the order and was working on it/);
  });

  it("shows the provider's last response", async () => {
    nextOutcome = { kind: "recoverable", message: "the switch is down" };
    const body = { offerId: OFFER, transactionId: "mute", recipientPhoneNumber: "+50251234567" };
    await till.v1("POST", "/topups/purchases", body);
    await till.advance(15 * MINUTE);
    nextOutcome = undefined;
    await till.advance(30 * MINUTE);
    await aDayLater();
    const [found] = (await list()).body.list;
    expect(found.lastWord).toBe(
      "At 2026-01-15T09:45:00.000Z it said: the switch is down. Since then it has not answered.",
    );
  });

  it("appears in its environment, in pages, oldest first, with the live provider's name", async () => {
    await giveLiveCatalog(till, [OFFER]);
    const { context } = till.gateway;
    await context.recharges.recharge(
      { accountId: "default", environment: "live", staffId: undefined },
      FUNDS,
    );
    await writerOf(context.db)
      .insertInto("upstreams")
      .values({
        account_id: "default",
        environment: "live",
        base_url: "https://gateway.example:8443/api",
        key_sealed: null,
        allow_private: 0,
        connected_at: 0,
      })
      .execute();
    for (const transactionId of ["first", "second"]) {
      const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
      await till.v1("POST", "/topups/purchases", body, "live");
      await till.advance(SECOND);
    }
    await aDayLater();
    expect((await list()).body.total).toBe(0);
    const all = (await list("live")).body;
    expect(all.list.map(({ transactionId }: { transactionId: string }) => transactionId)).toEqual([
      "first",
      "second",
    ]);
    expect(all.list[0].provider).toEqual({
      kind: "upstream",
      host: "gateway.example:8443",
      connected: false,
    });
    const page = await owner.pos("GET", "/reconciliation?environment=live&limit=1&offset=1");
    expect(page.body).toMatchObject({ total: 2, list: [{ transactionId: "second" }] });

    const settled = await settle("first", "delivered", { environment: "live" });
    const booked = await till.v1(
      "GET",
      `/transactions/${settled.body.booked.transactionId}`,
      undefined,
      "live",
    );
    expect(booked.body).toMatchObject({ type: "DEBIT", amount: COST, status: "DONE" });
    const left = (await till.v1("GET", "/balance", undefined, "live")).body.availableBalance;
    expect([left, await balance()]).toEqual([FUNDS - COST, FUNDS]);
  });
});

describe("settling as delivered", () => {
  it("charges a purchase with its own posting, and leaves the purchase failed", async () => {
    await flagged("case");
    const before = (await till.v1("GET", "/topups/purchases/case")).body;
    expect(await balance()).toBe(FUNDS);
    const settled = await settle("case", "delivered", { note: " Asked Ana at the provider. " });
    expect(settled.status).toBe(200);
    const { booked } = settled.body;
    expect(booked).toMatchObject({ type: "DEBIT", amount: COST, currency: "USD" });
    expect((await till.v1("GET", "/topups/purchases/case")).body).toEqual(before);
    expect(await balance()).toBe(FUNDS - COST);
    expect((await till.v1("GET", `/transactions/${booked.transactionId}`)).body).toMatchObject({
      type: "DEBIT",
      productType: "RECHARGE_SANDBOX",
      amount: COST,
      status: "DONE",
    });
    expect((await list()).body.total).toBe(0);
    expect(await trail()).toEqual([
      {
        staffId: owner.staffId,
        subject: "test/case",
        detail: {
          outcome: "delivered",
          note: "Asked Ana at the provider.",
          amount: COST,
          currency: "USD",
          currencyDivisor: 100,
          recipient: "+50251234567",
          booked: booked.transactionId,
        },
        at: till.clock.now(),
      },
    ]);
  });

  it("fails the second time without any change, even after a restart", async () => {
    await flagged("once");
    await settle("once", "delivered");
    await till.restart();
    const before = await digestDatabase(till.gateway.context.db);
    for (const outcome of ["delivered", "not-delivered"]) {
      const again = await settle("once", outcome);
      expect([again.status, again.body.errorCode]).toEqual([409, "ALREADY_SETTLED"]);
      expect(again.body.message).toMatch(/^once was settled as delivered at 2026-01-16T/);
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("books once for 20 simultaneous requests", async () => {
    await flagged("race");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => settle("race", "delivered")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await balance()).toBe(FUNDS - COST);
  });

  it("fails if the wallet balance is too low, and leaves the case open", async () => {
    await flagged("short");
    await till.gateway.context.recharges.setTestWallet(TEST, COST - 1);
    const before = await digestDatabase(till.gateway.context.db);
    const refused = await settle("short", "delivered");
    expect([refused.status, refused.body.errorCode]).toEqual([409, "WALLET_SHORT"]);
    expect(refused.body.message).toMatch(/^The wallet is short by 0\.01 USD of the 2\.97 USD/);
    expect(refused.body.fields).toMatchObject({ shortBy: "1", available: String(COST - 1) });
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    await till.gateway.context.recharges.setTestWallet(TEST, COST);
    expect((await settle("short", "delivered")).status).toBe(200);
    expect(await balance()).toBe(0);
  });

  it("leaves the case open and the money unchanged after an error in the last step", async () => {
    await flagged("cut");
    const { db } = till.gateway.context;
    await refuseRowsOf(db, "audit_trail");
    const before = await digestDatabase(db);
    expect((await settle("cut", "delivered")).status).toBe(500);
    expect(await digestDatabase(db)).toEqual(before);
    await takeRowsOf(db);
    await till.restart();
    expect((await list()).body.total).toBe(1);
    expect((await settle("cut", "delivered")).status).toBe(200);
    expect(await balance()).toBe(FUNDS - COST);
  });

  it("books a refund's case as a refund, and the purchase is not refunded again", async () => {
    const refundId = await flaggedRefund("esim-1");
    const [found] = (await list()).body.list;
    expect(found).toMatchObject({
      transactionId: refundId,
      kind: "REFUND",
      refundedTransactionId: "esim-1",
      offerId: ESIM_OFFER,
      cost: ESIM_COST,
      lastWord: "It never answered.",
    });
    expect(found.decisions.delivered).toMatch(/^The provider gave 3\.28 USD back\. A new CREDIT/);
    const before = (await till.v1("GET", `/transactions/${refundId}`)).body;
    const { booked } = (await settle(refundId, "delivered")).body;
    expect(booked).toMatchObject({ type: "CREDIT", amount: ESIM_COST });
    expect(await balance()).toBe(FUNDS);
    expect((await till.v1("GET", `/transactions/${refundId}`)).body).toEqual(before);
    expect((await till.v1("GET", "/esim/purchases/esim-1/refund")).body).toMatchObject({
      transactionId: booked.transactionId,
      status: "DONE",
    });
    silent = false;
    const again = await till.v1("POST", "/esim/purchases/esim-1/refund");
    expect(again.body.errorCode).toBe("REFUND_NOT_ALLOWED");
    expect(await balance()).toBe(FUNDS);
  });

  it("fails for a refund that another refund of the same purchase has replaced", async () => {
    const refundId = await flaggedRefund("esim-2");
    silent = false;
    await till.v1("POST", "/esim/purchases/esim-2/refund");
    await till.settle();
    expect(await balance()).toBe(FUNDS);
    const before = await digestDatabase(till.gateway.context.db);
    const refused = await settle(refundId, "delivered");
    expect([refused.status, refused.body.errorCode]).toEqual([400, "REFUND_NOT_ALLOWED"]);
    expect(refused.body.message).toMatch(/^Another refund of esim-2 is done or under way/);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    expect((await settle(refundId, "not-delivered")).status).toBe(200);
    expect(await balance()).toBe(FUNDS);
  });
});

describe("settling as not delivered", () => {
  it("closes the case and moves no money", async () => {
    await flagged("gone");
    const settled = await settle("gone", "not-delivered");
    expect(settled.body).toEqual({
      transactionId: "gone",
      environment: "test",
      outcome: "not-delivered",
      settledAt: new Date(till.clock.now()).toISOString(),
    });
    expect(await balance()).toBe(FUNDS);
    expect((await list()).body.total).toBe(0);
    expect(await trail()).toMatchObject([{ detail: { outcome: "not-delivered", note: "" } }]);
  });
});

describe("an invalid settlement", () => {
  it("fails with the reason and changes nothing", async () => {
    await flagged("open");
    silent = false;
    const body = { offerId: OFFER, transactionId: "done", recipientPhoneNumber: "+50251234567" };
    await till.v1("POST", "/topups/purchases", body);
    await till.advance(2 * SECOND);
    const clerk = { name: "Carla", role: "clerk", pin: "8302" };
    const { staffId } = (await owner.pos("POST", "/staff", clerk)).body;
    const till2 = await owner.signIn(staffId, clerk.pin);
    const before = await digestDatabase(till.gateway.context.db);
    const cases: [path: string, body: object, status: number, fields: string[]][] = [
      ["open", { outcome: "delivered" }, 400, ["environment"]],
      ["open", { environment: "test" }, 400, ["outcome"]],
      ["open", { environment: "test", outcome: "lost" }, 400, ["outcome"]],
      ["open", { environment: "prod", outcome: "delivered" }, 400, ["environment"]],
      ["open", { environment: "test", outcome: "delivered", paid: 1 }, 400, ["paid"]],
      ["open", { environment: "test", outcome: "delivered", note: "x".repeat(501) }, 400, ["note"]],
      ["o%20pen", { environment: "test", outcome: "delivered" }, 400, ["transactionId"]],
      ["open", { environment: "live", outcome: "delivered" }, 404, []],
      ["done", { environment: "test", outcome: "delivered" }, 404, []],
      ["nowhere", { environment: "test", outcome: "delivered" }, 404, []],
    ];
    for (const [path, asked, status, fields] of cases) {
      const answer = await owner.pos("POST", `/reconciliation/${path}`, asked);
      const named = Object.keys(answer.body.fields);
      expect([asked, answer.status, named]).toEqual([asked, status, fields]);
    }
    const legal = { environment: "test", outcome: "delivered" };
    expect((await till2.pos("POST", "/reconciliation/open", legal)).status).toBe(403);
    const listed = "/reconciliation?environment=test&limit=5&offset=0";
    expect((await till2.pos("GET", listed)).status).toBe(403);
    expect((await till.call("GET", `/pos${listed}`)).status).toBe(401);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    expect((await list()).body.total).toBe(1);
  });
});

describe("the alert for open cases", () => {
  it("does not scan the table of all transactions", onlySqlite(READS_PLANS), async () => {
    const { rows } = await sql<{ detail: string }>`explain query plan
      select * from transactions where account_id = 'default' and environment = 'test'
      and needs_reconciliation = 1 order by created_at, transaction_id limit 50`.execute(
      till.gateway.context.db,
    );
    expect(rows.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH transactions USING INDEX transactions_to_reconcile/),
    ]);
  });

  it("shows the number of open cases", async () => {
    const { monitoring } = till.gateway.context;
    expect((await monitoring.getFigures()).toReconcile).toEqual([]);
    await flagged("counted");
    expect((await monitoring.getFigures()).toReconcile).toEqual([
      { environment: "test", count: 1 },
    ]);
    const token = await createMetricsToken(till.dataDir, till.gateway.context.ids);
    const headers = { authorization: `Bearer ${token}` };
    const metrics = (await till.call("GET", "/metrics", { headers })).body;
    expect(metrics).toContain('tillgate_reconciliation_open{environment="test"} 1');
    expect(metrics).toContain('tillgate_reconciliation_open{environment="live"} 0');
    await settle("counted", "not-delivered");
    expect((await monitoring.getFigures()).toReconcile).toEqual([]);
  });
});
