import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CheckedForLive } from "../../../contract/pos/till-environment.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { isOnPostgres } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openShift, setUpTill, type TestTill } from "../../../testing/test-till.ts";
import { stepBoth, walkToLive } from "../../../testing/way-to-live.ts";

/** The head office's gateway is the provider of the shop's live environment. */
let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;
let freeBytes = 100 * 1024 ** 3;
let firstCost = 0;
const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;
const NEW_PIN = "603914";
const NAME = "Tienda Sol";

async function check(to = "live"): Promise<CheckedForLive[]> {
  const answer = await owner.pos("POST", "/till-environment/checks", { to });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.checks;
}

const missing = (checks: CheckedForLive[]) =>
  checks.filter(({ passed, stops }) => stops && !passed).map((one) => one.check);

function goLive(change: object = {}) {
  return owner.pos("PUT", "/till-environment", {
    to: "live",
    pin: NEW_PIN,
    shopName: NAME,
    ...change,
  });
}

const goBack = () => owner.pos("PUT", "/till-environment", { to: "test", pin: NEW_PIN });
const environment = async () => (await owner.pos("GET", "/status")).body.environment;
const run = (statement: string) => sql.raw(statement).execute(writerOf(shop.gateway.context.db));

async function connect(key = office.key("test")): Promise<void> {
  const there = { baseUrl: office.url, key, allowPrivate: true };
  await shop.gateway.context.upstream.connect(LIVE, there);
  // The new key belongs to another account, whose catalog is fetched first.
  await shop.settle();
}

async function trail() {
  const { list } = (await owner.pos("GET", "/audit-trail?limit=50&action=till.environment")).body;
  return list.map(({ staff, detail }: { staff?: { name: string }; detail: object }) => ({
    by: staff?.name,
    ...detail,
  }));
}

beforeAll(async () => {
  office = await startTestGateway();
  shop = await startTestGateway({ readFreeBytes: async () => freeBytes });
  owner = await setUpTill(shop, { shopName: NAME, currency: "GTQ", rate: "7.65" });
  await sql`delete from offers where brand not in ('TIGO', 'CLARO_GT')`.execute(
    writerOf(office.gateway.context.db),
  );
  await sql`update catalogs set version = version + 1`.execute(writerOf(office.gateway.context.db));
});
afterAll(async () => {
  await shop.close();
  await office.close();
});

/** Messages about missing backups, which do not apply to a database server. */
const OF_BACKUPS = ["BACKUP_RESTORED: No backup was ever restored. Try one under Test and live."];

describe("a new shop", () => {
  it("cannot go live, and receives a line for each missing condition", async () => {
    const checks = await check();
    const said = checks.filter(({ passed, stops }) => stops && !passed);
    expect(said.map(({ check: one, message }) => `${one}: ${message}`)).toEqual([
      "GATEWAY_ANSWERS: No gateway is connected to live. Connect it: tillgate upstream connect --env live.",
      "CATALOG_SYNCED: Its catalog has not been fetched yet: tillgate upstream sync --env live.",
      "WALLET_FUNDED: The live wallet is empty. Book what you paid in: tillgate wallet recharge --env live.",
      "OWNER_PIN_CHANGED: Olga still has the PIN of set-up. Change it, under Staff (F10).",
      ...(isOnPostgres() ? [] : OF_BACKUPS),
      "TIME_ZONE_CONFIRMED: Nobody has confirmed the shop's time zone, UTC. Do so under Test and live.",
      "FIRST_SALE: Nothing was sold live yet. Make the first sale under Test and live: the cheapest offer to your own number.",
    ]);
    const refused = await goLive({ pin: OWNER_PIN });
    expect([refused.status, refused.body.errorCode]).toEqual([409, "TILL_NOT_READY"]);
    expect(Object.keys(refused.body.fields)).toEqual(missing(checks));
    expect(await environment()).toBe("test");
    expect(await trail()).toEqual([]);
  });

  it("receives warnings for conditions that do not block", async () => {
    const warned = (await check()).filter(({ passed, stops }) => !stops && !passed);
    expect(warned.map(({ check: one }) => one)).toEqual([
      "PRACTISED",
      "ALERT_AMOUNT_SET",
      "ALERT_TESTED",
      "RECEIPT_FILLED",
      "RECEIPT_TESTED",
      "DRAWER_OPENED",
      "KEYS_LIMITED",
    ]);
  });
});

describe("a shop that meets all conditions", () => {
  beforeAll(async () => {
    const { context } = shop.gateway;
    await connect();
    await context.upstreamSync.sync(LIVE);
    await context.recharges.recharge(LIVE, 50_000);
    const changed = await owner.pos("PATCH", `/staff/${owner.staffId}`, { pin: NEW_PIN });
    expect(changed.status).toBe(200);
    // A new PIN ends the session.
    owner = await owner.signIn(owner.staffId, NEW_PIN, { shift: false });
    firstCost = await walkToLive({
      pin: NEW_PIN,
      call: owner.pos,
      until: stepBoth(office, shop),
      wait: (isSo) => vi.waitUntil(isSo, { timeout: 60_000, interval: 200 }),
    });
    expect(missing(await check())).toEqual([]);
  }, 120_000);

  it("goes live and back with its owner's PIN, and records both switches in the audit trail", async () => {
    expect((await goLive()).body).toEqual({ environment: "live" });
    expect(await environment()).toBe("live");
    expect((await owner.pos("GET", "/wallet")).body).toMatchObject({
      environment: "live",
      figures: { available: 50_000 - firstCost },
    });
    expect((await goLive()).status).toBe(200);
    expect((await goBack()).body).toEqual({ environment: "test" });
    expect(await environment()).toBe("test");
    expect(await trail()).toEqual([
      { by: "Olga", from: "live", to: "test" },
      { by: "Olga", from: "test", to: "live" },
    ]);
  });

  it.each<[string, object, number, string]>([
    ["a wrong PIN", { pin: "999111" }, 401, "pin"],
    ["another shop's name", { shopName: "Tienda Luna" }, 400, "shopName"],
    ["no name at all", { shopName: undefined }, 400, "shopName"],
    ["no place", { to: "moon" }, 400, "to"],
  ])(
    "does not switch its environment after a request with %s",
    async (_name, change, status, field) => {
      const answer = await goLive(change);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([
        status,
        expect.arrayContaining([field]),
      ]);
      expect(await environment()).toBe("test");
    },
  );

  it("goes live only at an owner's request", async () => {
    const input = { name: "Ana", role: "supervisor", pin: "8302" };
    const { staffId } = (await owner.pos("POST", "/staff", input)).body;
    const ana = await owner.signIn(staffId, "8302", { shift: false });
    const body = { to: "live", pin: "8302", shopName: NAME };
    expect((await ana.pos("PUT", "/till-environment", body)).status).toBe(403);
    expect((await ana.pos("POST", "/till-environment/checks", { to: "live" })).status).toBe(403);
    expect((await ana.pos("PUT", "/rate", { rate: "1" })).status).toBe(403);
  });

  const bump = "update catalogs set version = version + 1 where environment = 'live'";
  let kept: string;
  const conditions: Record<string, { breakIt(): Promise<unknown>; fixIt(): Promise<unknown> }> = {
    "SHIFTS_CLOSED: A shift is open: Olga. Close it first, under Shift (F7).": {
      breakIt: () => openShift(owner),
      fixIt: async () => {
        const { shift } = (await owner.pos("GET", "/shifts/current")).body;
        await owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
      },
    },
    "GATEWAY_ANSWERS: No gateway is connected to live.": {
      breakIt: () => shop.gateway.context.upstream.disconnect(LIVE),
      fixIt: () => connect(),
    },
    "GATEWAY_ANSWERS: The gateway has not answered within the hour.": {
      breakIt: () =>
        run(`update upstreams set base_url = 'http://127.0.0.1:9',
          balance_at = balance_at - ${HOUR + MINUTE}`),
      fixIt: () =>
        run(`update upstreams set base_url = '${office.url}', balance_at = ${shop.clock.now()}`),
    },
    "GATEWAY_ANSWERS: The gateway has not answered within the hour. http://127.0.0.1": {
      breakIt: async () => {
        const { keys } = office.gateway.context;
        const scope = { accountId: "default", environment: "test" } as const;
        const { key, keyId } = await keys.create(scope, "short-lived");
        await connect(key);
        await keys.revoke({ accountId: "default" }, keyId);
        await run(`update upstreams set balance_at = balance_at - ${2 * MINUTE}`);
      },
      fixIt: () => connect(),
    },
    "GATEWAY_ANSWERS: The gateway has not answered within the hour. A secret in the database": {
      breakIt: async () => {
        await shop.settle();
        const { key_sealed } = await shop.gateway.context.db
          .selectFrom("upstreams")
          .select("key_sealed")
          .executeTakeFirstOrThrow();
        kept = key_sealed ?? "";
        const end = kept.endsWith("A") ? "B" : "A";
        await run(`update upstreams set key_sealed = '${kept.slice(0, -8)}${end.repeat(8)}',
          balance_at = balance_at - ${2 * MINUTE}`);
      },
      fixIt: () => run(`update upstreams set key_sealed = '${kept}'`),
    },
    "GATEWAY_KEY_LIVE: The gateway's key is one of its test environment": {
      breakIt: () => run("update upstreams set allow_private = 0"),
      fixIt: () => run("update upstreams set allow_private = 1"),
    },
    "CATALOG_SYNCED: Its catalog has not been fetched yet": {
      breakIt: () => run("update upstreams set synced_at = null"),
      fixIt: () => run(`update upstreams set synced_at = ${shop.clock.now()}`),
    },
    "CATALOG_FOR_COUNTRY: There is no offer for the shop's own country, GT.": {
      breakIt: async () => {
        await run("create table kept as select * from offers where environment = 'live'");
        await run("delete from offers where environment = 'live'");
        await run(bump);
      },
      fixIt: async () => {
        await run("insert into offers select * from kept");
        await run("drop table kept");
        await run(bump);
      },
    },
    "PRICES_COVER_COST: Offers priced below what the wallet pays: 1, TIGO_GT_TOPUP_25 first.": {
      breakIt: async () => {
        const { db } = shop.gateway.context;
        const { offer_json } = await db
          .selectFrom("offers")
          .select("offer_json")
          .where("environment", "=", "live")
          .where("offer_id", "=", "TIGO_GT_TOPUP_25")
          .executeTakeFirstOrThrow();
        kept = offer_json;
        const offer = JSON.parse(offer_json);
        const price = { ...offer.price, fixed: 10, suggestedFixed: 10 };
        await writerOf(db)
          .updateTable("offers")
          .set({ offer_json: JSON.stringify({ ...offer, price }) })
          .where("environment", "=", "live")
          .where("offer_id", "=", "TIGO_GT_TOPUP_25")
          .execute();
        await run(bump);
      },
      fixIt: async () => {
        await writerOf(shop.gateway.context.db)
          .updateTable("offers")
          .set({ offer_json: kept })
          .where("environment", "=", "live")
          .where("offer_id", "=", "TIGO_GT_TOPUP_25")
          .execute();
        await run(bump);
      },
    },
    "RATE_RECENT: The exchange rate 7.65 is of 2026-01-07, older than 7 days.": {
      breakIt: () => run(`update shops set rate_set_at = rate_set_at - ${8 * DAY}`),
      fixIt: () => owner.pos("PUT", "/rate", { rate: "7.65" }),
    },
    "DISK_HAS_ROOM: The disk has only 1.9 GB left. It takes 2 GB.": {
      breakIt: async () => {
        freeBytes = 1.9 * 1024 ** 3;
      },
      fixIt: async () => {
        freeBytes = 100 * 1024 ** 3;
      },
    },
  };

  it.each(Object.entries(conditions))(
    "stays in test because of %s",
    async (words, { breakIt, fixIt }) => {
      const [id = "", ...message] = words.split(": ");
      await breakIt();
      try {
        const refused = await goLive();
        expect([refused.status, refused.body.errorCode]).toEqual([409, "TILL_NOT_READY"]);
        expect(refused.body.fields[id]).toContain(message.join(": "));
        expect(await environment()).toBe("test");
        if (id === "PRICES_COVER_COST") {
          // The page that the check leads to.
          const { list } = (await owner.pos("GET", "/prices/live/blocked")).body;
          expect(list).toMatchObject([{ offerId: "TIGO_GT_TOPUP_25", isSold: true }]);
        }
      } finally {
        await fixIt();
      }
      expect(missing(await check())).toEqual([]);
    },
  );

  it("may rehearse with a test key of a gateway in its own network, and receives a warning", {
    tags: ["thorough"],
  }, async () => {
    const key = (await check()).find((one) => one.check === "GATEWAY_KEY_LIVE");
    expect(key).toMatchObject({ passed: false, stops: false });
    expect(key?.message).toContain("nothing that is sold is real");
    await connect(office.key("live"));
    const live = (await check()).find((one) => one.check === "GATEWAY_KEY_LIVE");
    expect(live).toMatchObject({ passed: true });
    await connect();
  });

  it("stays live while a live shift is open, and counts none of its sales in test", async () => {
    await goLive();
    const shiftId = await openShift(owner, 1_000);
    const stopped = await goBack();
    expect(stopped.body.fields).toEqual({
      SHIFTS_CLOSED: "A shift is open: Olga. Close it first, under Shift (F7).",
    });
    await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: 1_000 });
    expect((await goBack()).status).toBe(200);
    expect((await owner.pos("GET", "/shifts/current")).body).toEqual({});
    expect((await owner.pos("GET", "/z-reports?limit=10&offset=0")).body.list).toEqual(
      expect.not.arrayContaining([
        expect.objectContaining({ shift: expect.objectContaining({ shiftId }) }),
      ]),
    );
  });

  it("refuses a basket started before the switch, and confirms a sale stored before it", async () => {
    await openShift(owner);
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const begun = { ...(await owner.prepareSale([line])), environment: "test", training: false };
    const stored = { ...(await owner.prepareSale([line])), environment: "test", training: false };
    expect((await owner.pos("POST", "/sales", stored)).status).toBe(200);
    await shop.settle();
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const closing = { counted: 0, leaveUnfinished: true };
    await owner.pos("POST", `/shifts/${shift.shiftId}/close`, closing);
    expect((await goLive()).status).toBe(200);
    await openShift(owner);

    const refused = await owner.pos("POST", "/sales", begun);
    expect([refused.status, refused.body.errorCode, refused.body.fields]).toEqual([
      409,
      "ENVIRONMENT_CHANGED",
      { environment: "must be live" },
    ]);
    // The gateway had stored this sale before the switch.
    const again = await owner.pos("POST", "/sales", stored);
    expect([again.status, again.body.environment]).toEqual([200, "test"]);
    expect((await owner.pos("GET", "/sales?limit=10&offset=0")).body.total).toBe(0);
    expect((await owner.pos("GET", `/sales/${stored.saleId}`)).status).toBe(404);

    const now = (await owner.pos("GET", "/shifts/current")).body.shift;
    await owner.pos("POST", `/shifts/${now.shiftId}/close`, { counted: 0 });
    await goBack();
  });

  it("opens no shift in the environment that it left, even if the request was made before the switch", async () => {
    const { shifts, db } = shop.gateway.context;
    const worker = { ...(await owner.pos("GET", "/session")).body };
    const late = {
      accountId: "default",
      environment: "live" as const,
      training: false,
      ...worker.staff,
      rights: worker.rights,
    };
    await expect(shifts.open(late, { shiftId: randomUUID(), float: 0 })).rejects.toMatchObject({
      errorCode: "ENVIRONMENT_CHANGED",
    });
    const open = db.selectFrom("shifts").select("shift_id").where("closed_at", "is", null);
    expect(await open.execute()).toEqual([]);
  });
});

describe("the exchange rate", () => {
  it("can be set by an owner; the change is audited and applies to catalog prices, but to no past sale", async () => {
    const price = async () =>
      (await owner.pos("POST", "/quotes", { offerId: "TIGO_GT_TOPUP_25" })).body.price;
    const before = await price();
    expect((await owner.pos("PUT", "/rate", { rate: "15.3" })).body).toEqual({ rate: "15.3" });
    expect(await price()).toBeGreaterThan(before * 1.9);
    const near = (await check()).find((one) => one.check === "RATE_NEAR_REFERENCE");
    // The built-in reference rate is a week old in this test.
    expect(near).toMatchObject({ passed: false, stops: true });
    await owner.pos("PUT", "/rate", { rate: "7.65" });
    expect(await price()).toBe(before);
    const { list } = (await owner.pos("GET", "/audit-trail?limit=5&action=settings.change")).body;
    expect(list[0].detail).toEqual({ rate: "7.65", "rate.was": "15.3" });
  });

  it.each(["0", "-1", "1e9", "seven", ""])("cannot be %j", async (rate) => {
    const answer = await owner.pos("PUT", "/rate", { rate });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["rate"]]);
  });
});
