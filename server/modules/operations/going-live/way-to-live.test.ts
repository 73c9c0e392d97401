import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedForLive } from "../../../contract/pos/till-environment.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { MAKES_BACKUPS, onlySqlite } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { stepBoth } from "../../../testing/way-to-live.ts";

let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;
const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;
const TOPUP = "TIGO_GT_TOPUP_25";
const WAY = "/till-environment";

async function found(name: CheckedForLive["check"]): Promise<CheckedForLive | undefined> {
  const { body } = await owner.pos("POST", `${WAY}/checks`, { to: "live" });
  return body.checks.find((one: CheckedForLive) => one.check === name);
}

const confirm = (what: string) => owner.pos("PUT", `${WAY}/confirmations/${what}`);
const write = () => writerOf(shop.gateway.context.db);

const sellFirst = (change: object = {}) =>
  owner.pos("POST", `${WAY}/first-sale`, {
    transactionId: randomUUID(),
    offerId: TOPUP,
    recipientPhoneNumber: "+50251234567",
    pin: OWNER_PIN,
    ...change,
  });

beforeAll(async () => {
  office = await startTestGateway();
  await writerOf(office.gateway.context.db)
    .deleteFrom("offers")
    .where("brand", "not in", ["TIGO", "CLARO_GT"])
    .execute();
  await writerOf(office.gateway.context.db)
    .updateTable("catalogs")
    .set((row) => ({ version: row("version", "+", 1) }))
    .execute();
  shop = await startTestGateway();
  owner = await openTill(shop, { currency: "GTQ", rate: "7.65", timeZone: "America/Guatemala" });
  const { context } = shop.gateway;
  const there = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
  await context.upstream.connect(LIVE, there);
  await context.upstreamSync.sync(LIVE);
  await context.recharges.recharge(LIVE, 50_000);
});
afterAll(async () => {
  await shop.expectCleanBooks();
  await shop.close();
  await office.close();
});

describe("confirmations by an owner", () => {
  it.each(["TIME_ZONE_CONFIRMED", "SYNC_READ", "RECEIPT_TESTED", "DRAWER_OPENED"] as const)(
    "%s blocks going live until an owner confirms it, with an audit entry",
    async (what) => {
      expect(await found(what)).toMatchObject({ passed: false });
      expect((await confirm(what)).status).toBe(200);
      expect(await found(what)).toMatchObject({ passed: true });
      const { list } = (await owner.pos("GET", "/audit-trail?limit=1&action=till.checked")).body;
      expect(list[0].detail).toEqual({ what });
    },
  );

  it("apply only to the time zone that the owner confirmed", async () => {
    await write().updateTable("accounts").set({ time_zone: "America/Managua" }).execute();
    expect(await found("TIME_ZONE_CONFIRMED")).toMatchObject({
      passed: false,
      figures: { timeZone: "America/Managua" },
    });
    await write().updateTable("accounts").set({ time_zone: "America/Guatemala" }).execute();
    expect(await found("TIME_ZONE_CONFIRMED")).toMatchObject({ passed: true });
  });

  it("include the shop's own prices, listed by their difference from the suggested prices", async () => {
    expect(await found("PRICES_SEEN")).toMatchObject({ passed: true });
    const { list, newest: base } = (await owner.pos("GET", "/prices/live")).body;
    const rule = {
      ruleId: randomUUID(),
      enabled: true,
      target: { brand: "TIGO" },
      class: "STANDARD",
      channel: "ANY",
      basis: "COST",
      how: "MARKUP",
      percent: "40",
    };
    const saved = await owner.pos("PUT", "/prices/live", {
      list: { ...list, rules: [rule] },
      base,
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await found("PRICES_SEEN")).toMatchObject({ passed: false, stops: true });
    const { body } = await owner.pos("GET", `${WAY}/price-changes`);
    expect(body).toMatchObject({ currency: "GTQ" });
    expect(body.changed).toBeGreaterThan(0);
    expect(body.largest.length).toBeLessThanOrEqual(10);
    expect(body.largest[0].new).not.toBe(body.largest[0].old);
    await confirm("PRICES_SEEN");
    expect(await found("PRICES_SEEN")).toMatchObject({ passed: true });
  });

  it("a clock difference over a minute blocks going live, and an unknown difference only causes a warning", async () => {
    const set = (clock_difference_ms: number | null) =>
      write().updateTable("upstreams").set({ clock_difference_ms }).execute();
    expect(await found("CLOCKS_EQUAL")).toMatchObject({ passed: true });
    await set(61 * SECOND);
    expect(await found("CLOCKS_EQUAL")).toMatchObject({
      passed: false,
      stops: true,
      message:
        "The gateway's clock and this one do not agree: 61 seconds apart. Set this machine's clock.",
    });
    await set(null);
    expect(await found("CLOCKS_EQUAL")).toMatchObject({ passed: false, stops: false });
    await set(0);
  });

  it("the wallet check shows for how many days the wallet covers the average sales in test", async () => {
    expect(await found("WALLET_COVERS_DAY")).toBeUndefined();
    await owner.sell([{ offerId: TOPUP, recipientPhoneNumber: "+50251234567" }]);
    await shop.advance(MINUTE);
    const covers = await found("WALLET_COVERS_DAY");
    expect(covers).toMatchObject({ passed: true, stops: false });
    expect(Number(covers?.figures.days)).toBeCloseTo(50_000 / Number(covers?.figures.average), 0);
  });
});

describe("the backup trial", () => {
  it(
    "makes a backup, restores it into a temporary file, and deletes that file",
    onlySqlite(MAKES_BACKUPS),
    async () => {
      expect(await found("BACKUP_RESTORED")).toMatchObject({ passed: false, stops: true });
      expect((await owner.pos("POST", `${WAY}/backup-trial`)).status).toBe(200);
      const underWay = { passed: false, figures: { state: "UNDER_WAY" } };
      expect(await found("BACKUP_RESTORED")).toMatchObject(underWay);
      const trial = async () => (await owner.pos("GET", WAY)).body.backupTrial;
      await expect.poll(trial, { timeout: 30_000 }).toBeUndefined();
      expect(await found("BACKUP_RESTORED")).toMatchObject({ passed: true, figures: { sales: 1 } });
      const names = readdirSync(join(shop.dataDir, "backups"));
      expect(names.filter((name) => name.includes("part"))).toEqual([]);
    },
  );
});

describe("the first live sale", () => {
  it("offers only top-ups in the number's country, starting with its own carrier", async () => {
    const ask = (recipientPhoneNumber: string) =>
      owner.pos("POST", `${WAY}/first-sale/offers`, { recipientPhoneNumber });
    const { list } = (await ask("+50230123456")).body;
    expect(list.length).toBeGreaterThan(0);
    expect((await ask("+34612345678")).body.list).toEqual([]);
    const costs = list.filter((one: { isOfCarrier: boolean }) => !one.isOfCarrier);
    expect(costs).toEqual(
      costs.toSorted((a: { cost: number }, b: { cost: number }) => a.cost - b.cost),
    );
  });

  it("requires an owner and the owner's PIN", async () => {
    expect((await sellFirst({ pin: "999111" })).status).toBe(401);
    const input = { name: "Ana", role: "supervisor", pin: "8302" };
    const { staffId } = (await owner.pos("POST", "/staff", input)).body;
    const ana = await owner.signIn(staffId, "8302", { shift: false });
    const refused = await ana.pos("POST", `${WAY}/first-sale/offers`, {
      recipientPhoneNumber: "+50251234567",
    });
    expect(refused.status).toBe(403);
    expect(await found("FIRST_SALE")).toMatchObject({ passed: false, figures: { state: "NONE" } });
  });

  it("reports a failed delivery, for which no wallet paid", async () => {
    const failing = { recipientPhoneNumber: "+50251239002" };
    const both = await Promise.all([sellFirst(failing), sellFirst(failing)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(await found("FIRST_SALE")).toMatchObject({ figures: { state: "UNDER_WAY" } });
    expect((await sellFirst()).body.fields).toEqual({
      transactionId: "must wait for the first sale that is under way",
    });
    await stepBoth(
      office,
      shop,
    )(async () => (await found("FIRST_SALE"))?.figures.state !== "UNDER_WAY");
    const { list } = (await owner.pos("GET", "/audit-trail?limit=1&action=till.first-sale")).body;
    expect(list[0].detail).toMatchObject({ offerId: TOPUP });
    expect(await found("FIRST_SALE")).toMatchObject({
      passed: false,
      figures: { state: "FAILED" },
    });
    const { available } = (await owner.pos("GET", "/upstream")).body.balance;
    expect(available).toBe(50_000);
  });

  it("the first live sale is delivered once despite repeated requests, and both wallets pay its cost", async () => {
    const transactionId = randomUUID();
    expect((await sellFirst({ transactionId })).status).toBe(200);
    expect((await sellFirst({ transactionId })).status).toBe(200);
    await stepBoth(office, shop)(async () => (await found("FIRST_SALE"))?.passed === true);
    const first = await found("FIRST_SALE");
    expect(first?.figures).toMatchObject({ state: "GOOD", recipient: "+502 5123 4567" });
    expect(first?.figures.there).toBe(first?.figures.cost);
    expect(first?.figures.here).toBe(first?.figures.cost);
    const bought = await shop.gateway.context.db
      .selectFrom("purchases")
      .select("transaction_id")
      .where("environment", "=", "live")
      .where("transaction_id", "=", transactionId)
      .execute();
    expect(bought).toHaveLength(1);
  });

  it("blocks going live if a wallet was charged a different amount", async () => {
    const { value_json } = await shop.gateway.context.db
      .selectFrom("settings")
      .select("value_json")
      .where("name", "=", "going_live.FIRST_SALE")
      .executeTakeFirstOrThrow();
    const note = JSON.parse(value_json);
    note.detail.after.there -= 1;
    await write()
      .updateTable("settings")
      .set({ value_json: JSON.stringify(note) })
      .where("name", "=", "going_live.FIRST_SALE")
      .execute();
    expect(await found("FIRST_SALE")).toMatchObject({
      passed: false,
      stops: true,
      figures: { state: "DIFFERS" },
    });
  });
});
