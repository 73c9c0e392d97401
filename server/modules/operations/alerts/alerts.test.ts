import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Alert, AlertList } from "../../../contract/pos/alerts.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Provider } from "../../../providers/provider.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { markAskedForADay } from "../../../testing/asked-for-a-day.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { MAKES_BACKUPS, onlySqlite } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { startReceiver } from "../../../testing/webhook-receiver.ts";

let till: TestGateway;
let owner: TestTill;
let freeBytes: number;
let isSilent: boolean;
const GB = 1024 ** 3;
const OFFER = "TIGO_GT_TOPUP_50";
const BAD = "+50251239004";

function createProvider(): Provider {
  function simulator(): Simulator {
    if (isSilent) throw new Error("no answer");
    const { db, transactor, clock } = till.gateway.context;
    return new Simulator({ db, transactor, clock });
  }
  return {
    submit: async (order, signal) => simulator().submit(order, signal),
    inquire: async (order) => simulator().inquire(order),
    refund: async (order) => simulator().refund(order),
    readEsim: async (esim) => simulator().readEsim(esim),
    findBill: async (query) => simulator().findBill(query),
  };
}

beforeEach(async () => {
  freeBytes = 100 * GB;
  isSilent = false;
  till = await startTestGateway({
    readFreeBytes: async () => freeBytes,
    providers: { test: createProvider() },
  });
  owner = await openTill(till, { currency: "GTQ", rate: "7.66" });
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function look(): Promise<AlertList> {
  await till.settle();
  await till.gateway.context.alertRounds.look();
  return list();
}

const list = async (of = owner): Promise<AlertList> => (await of.pos("GET", "/alerts")).body;
const causes = (alerts: readonly Alert[]) => alerts.map(({ cause }) => cause);
const open = async () => causes((await look()).open);
const setBalance = (available: number) => owner.pos("PUT", "/wallet/test-balance", { available });

async function passTime(milliseconds: number): Promise<void> {
  till.clock.set(till.clock.now() + milliseconds);
  await till.settle();
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
}

async function buy(transactionId: string, recipientPhoneNumber: string): Promise<void> {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber };
  await till.v1("POST", "/topups/purchases", body);
  await till.settle();
}

it("a new shop has no alerts, and lists the watched kinds", async () => {
  const { watched, open: none, resolved } = await look();
  expect([none, resolved]).toEqual([[], []]);
  expect(watched).toHaveLength(19);
});

describe("the wallet alert", () => {
  const low = async () => (await look()).open.filter(({ kind }) => kind === "WALLET");

  it("opens below the owner's amount, again at zero, and resolves a fifth above that amount", async () => {
    await owner.pos("PUT", "/wallet/alert", { environment: "test", lowAmount: 1_000 });
    expect(await low()).toEqual([]);
    await setBalance(1_000);
    const [first] = await low();
    expect(first).toMatchObject({
      cause: "WALLET_UNDER_AMOUNT",
      level: "SOON",
      environment: "test",
      facts: { amount: 1_000, limit: 1_000, currency: "USD" },
    });
    await setBalance(1_199);
    expect(await low()).toMatchObject([{ alertId: first?.alertId, facts: { amount: 1_199 } }]);
    await setBalance(0);
    const empty = { alertId: first?.alertId, cause: "WALLET_EMPTY", level: "URGENT" };
    expect(await low()).toMatchObject([empty]);
    await setBalance(1_200);
    expect(await low()).toEqual([]);
    await setBalance(1_001);
    expect(await low()).toEqual([]);
    await setBalance(999);
    const [second] = await low();
    expect(second?.alertId).not.toBe(first?.alertId);
    expect((await list()).resolved).toMatchObject([{ alertId: first?.alertId }]);
  });

  it("reopens when the owner sets another amount", async () => {
    await owner.pos("PUT", "/wallet/alert", { environment: "test", lowAmount: 1_000 });
    await setBalance(900);
    expect(await low()).toHaveLength(1);
    await owner.pos("PUT", "/wallet/alert", { environment: "test", lowAmount: 800 });
    expect(await low()).toEqual([]);
  });
});

describe("alerts of sales", () => {
  it("report a slow brand, then an automatic pause, and resolve after a response of the provider", async () => {
    await buy("slow-1", BAD);
    await passTime(2 * MINUTE + SECOND);
    expect((await look()).open).toMatchObject([
      { cause: "PROVIDER_SLOW", facts: { name: "Tigo", count: 1 } },
    ]);
    for (let n = 2; n <= 5; n++) await buy(`slow-${n}`, BAD);
    expect(await open()).toEqual(["BRAND_PAUSED"]);
    await owner.pos("DELETE", "/brands/TIGO/pause?environment=test");
    await passTime(DAY + HOUR);
    await till.advance(HOUR);
    expect(await open()).not.toContain("BRAND_PAUSED");
  });

  it("do not report a brand that a person paused", async () => {
    await owner.pos("PUT", "/brands/TIGO/pause?environment=test");
    expect(await open()).toEqual([]);
  });

  it("keep an unclear purchase open until the owner settles it", async () => {
    isSilent = true;
    await buy("unclear", "+50251234567");
    await markAskedForADay(till);
    await passTime(DAY);
    await till.advance(SECOND);
    expect((await look()).open).toMatchObject([{ cause: "CASES", facts: { count: 1 } }]);
    const decided = { environment: "test", outcome: "not-delivered" };
    const settled = await owner.pos("POST", "/reconciliation/unclear", decided);
    expect(settled.status, JSON.stringify(settled.body)).toBe(200);
    expect(await open()).toEqual([]);
  });

  it("report the money of a failed line until it is refunded", async () => {
    const sold = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: "+50251239001" }]);
    await till.advance(SECOND);
    const { saleId, lines } = (await owner.pos("GET", `/sales/${sold.body.saleId}`)).body;
    expect((await look()).open).toMatchObject([
      { cause: "REFUNDS", facts: { count: 1, amount: lines[0].price, currency: "GTQ" } },
    ]);
    const back = { customerRefundId: randomUUID(), lines: [lines[0].transactionId] };
    const refunded = await owner.pos("POST", `/sales/${saleId}/customer-refunds`, back);
    expect(refunded.status, JSON.stringify(refunded.body)).toBe(200);
    expect(await open()).toEqual([]);
  });
});

describe("alerts of prices and rates", () => {
  it("report unexplained wallet spending within ten minutes", async () => {
    await owner.sell([{ offerId: OFFER, recipientPhoneNumber: "+50251234567" }]);
    await till.advance(5 * SECOND);
    expect(await open()).toEqual([]);
    // Moves a transaction to the previous day, so that nothing explains today's spending.
    const move = (by: number) =>
      writerOf(till.gateway.context.db)
        .updateTable("transactions")
        .set((eb) => ({ finished_at: eb("finished_at", "+", by) }))
        .where("type", "=", "DEBIT")
        .execute();
    await move(-DAY);
    await passTime(10 * MINUTE);
    const { available } = (await owner.pos("GET", "/wallet")).body.figures;
    const spent = 100_000 - available;
    expect((await look()).open).toMatchObject([
      { cause: "TIE_OUT", level: "URGENT", facts: { amount: spent, currency: "USD" } },
    ]);
    await move(DAY);
    await passTime(10 * MINUTE);
    expect(await open()).toEqual([]);
  });

  it("report a rate that is old or far from the reference, until the owner sets a new rate", async () => {
    await passTime(7 * DAY + MINUTE);
    expect(await open()).toEqual(["RATE_OLD"]);
    await owner.pos("PUT", "/rate", { rate: "7.66" });
    expect(await open()).toEqual([]);
    await owner.pos("PUT", "/rate", { rate: "7.2" });
    expect((await look()).open).toMatchObject([
      { cause: "RATE_DRIFTED", facts: { rate: "7.2", reference: "7.66" } },
    ]);
  });

  it("report offers that are not sold because of a price below their floor, until the owner raises the price", async () => {
    const NO_TAX = { kind: "NONE", percent: "0" } as const;
    const taxes = { TOPUP: NO_TAX, VOUCHER: NO_TAX, ESIM: NO_TAX, BILL_PAY: NO_TAX };
    const rule = { ruleId: "one", enabled: true, class: "STANDARD", channel: "ANY", basis: "COST" };
    const cheap = { ...rule, target: { offerId: OFFER }, how: "SET", amount: 100 };
    const save = async (rules: object[]) => {
      const base = (await owner.pos("GET", "/prices/test")).body.newest;
      const list = { rules, taxes, fxBufferPercent: "0", driftAlertPercent: "2" };
      const saved = await owner.pos("PUT", "/prices/test", { list, base });
      expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    };
    await save([cheap]);
    expect((await look()).open).toMatchObject([{ cause: "OFFERS_BLOCKED", facts: { count: 1 } }]);
    await save([]);
    expect(await open()).toEqual([]);
  });
});

describe("alerts of the machine and other systems", () => {
  it("report a disk before it is full, until clearly more space is free", async () => {
    freeBytes = 1.9 * GB;
    expect((await look()).open).toMatchObject([
      { cause: "DISK", level: "SOON", facts: { gigabytes: 1.9 } },
    ]);
    freeBytes = 2.1 * GB;
    expect(await open()).toEqual(["DISK"]);
    freeBytes = 0.4 * GB;
    expect((await look()).open).toMatchObject([{ level: "URGENT" }]);
    freeBytes = 3 * GB;
    expect(await open()).toEqual([]);
  });

  it(
    "report an old backup after the gateway ran for a day without making a backup",
    onlySqlite(MAKES_BACKUPS),
    async () => {
      await till.gateway.context.backups.make();
      await writerOf(till.gateway.context.db)
        .updateTable("shops")
        .set({ rate_set_at: till.clock.now() + 3 * DAY })
        .execute();
      await passTime(2 * DAY);
      // The gateway did not run during these two days, so the missing backup is not reported yet.
      expect(await open()).toEqual([]);
      for (let n = 0; n < 121; n++) till.clock.set(till.clock.now() + MINUTE);
      expect((await look()).open).toMatchObject([{ cause: "BACKUP_OLD", level: "URGENT" }]);
      await till.gateway.context.backups.make();
      expect(await open()).toEqual([]);
    },
  );

  it(
    "report a second backup place that is unavailable for a day, until it is available again",
    onlySqlite(MAKES_BACKUPS),
    async () => {
      const disk = mkdtempSync(join(tmpdir(), "tillgate-away-"));
      const stick = join(disk, "stick");
      mkdirSync(stick);
      expect((await owner.pos("PUT", "/backups/second", { dir: stick })).status).toBe(200);
      await till.settle();
      renameSync(stick, join(disk, "pulled"));
      await till.gateway.context.backups.make();
      expect(await open()).toEqual([]);
      await passTime(DAY + HOUR);
      await till.gateway.context.backups.make();
      expect((await look()).open).toMatchObject([
        { cause: "BACKUP_PLACE", level: "SOON", facts: { name: stick, count: expect.any(Number) } },
      ]);
      renameSync(join(disk, "pulled"), stick);
      await passTime(11 * MINUTE);
      expect(await open()).toEqual([]);
      rmSync(disk, { recursive: true, force: true });
    },
  );

  it(
    "report a going-live check that fails in the nightly run, until the check passes again",
    onlySqlite(MAKES_BACKUPS),
    async () => {
      const write = writerOf(till.gateway.context.db);
      const way = "/till-environment";
      expect((await owner.pos("POST", `${way}/backup-trial`)).status).toBe(200);
      const trial = async () => (await owner.pos("GET", way)).body.backupTrial;
      await expect.poll(trial, { timeout: 30_000 }).toBeUndefined();
      await write.updateTable("shops").set({ till_environment: "live" }).execute();
      await passTime(DAY);
      expect(await open()).not.toContain("LIVE_CHECKS");
      const [tried] = await write
        .selectFrom("settings")
        .selectAll()
        .where("name", "like", "going_live.%")
        .execute();
      await write.deleteFrom("settings").where("name", "like", "going_live.%").execute();
      await passTime(DAY);
      const { open: found } = await look();
      const red = found.find(({ cause }) => cause === "LIVE_CHECKS");
      expect(red).toMatchObject({ environment: "live", level: "URGENT", facts: { count: 1 } });
      await write.insertInto("settings").values(tried!).execute();
      await passTime(DAY);
      expect(await open()).not.toContain("LIVE_CHECKS");
    },
  );

  it("report wrong PINs for a name, until a day has passed or the PIN is changed", async () => {
    const ana = { name: "Ana", role: "clerk", pin: "258346" };
    const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
    for (let n = 0; n < 5; n++) {
      await till.call("POST", "/pos/session", { body: { staffId, pin: "999111" } });
    }
    expect((await look()).open).toMatchObject([
      { cause: "WRONG_PINS", facts: { name: "Ana", count: 5 } },
    ]);
    await owner.pos("PATCH", `/staff/${staffId}`, { pin: "471902" });
    expect(await open()).toEqual([]);
  });

  it("report a webhook without responses, until it responds", async () => {
    const receiver = await startReceiver(till);
    try {
      const input = { environment: "test", kind: "TOPUP", url: `${receiver.url}/hook` } as const;
      const author = { accountId: "default", staffId: undefined };
      await till.gateway.context.webhooks.add(author, { ...input, allowPrivate: true });
      receiver.behave(500);
      await buy("told", "+50251234567");
      await till.advance(SECOND);
      expect((await look()).open).toMatchObject([{ cause: "WEBHOOK_FAILING", level: "SOON" }]);
      receiver.behave(200);
      await till.advance(HOUR);
      expect(await open()).toEqual([]);
    } finally {
      await receiver.close();
    }
  });
});
