import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PriceList } from "../contract/pos/prices.ts";
import { type PostgresProxy, startPostgresProxy } from "../testing/postgres-proxy.ts";
import {
  type Answer,
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../testing/test-till.ts";

/**
 * In these tests, changes made at one gateway (`here`) must apply at another gateway (`there`) on
 * the same PostgreSQL.
 */
let here: TestGateway;
let there: TestGateway;
let proxy: PostgresProxy;
let owner: TestTill;
beforeEach(async () => {
  here = await startTestGateway();
  proxy = await startPostgresProxy(here.database!);
  there = await startGatewayBeside({ ...here, database: proxy.address });
  owner = await openTill(here);
});
afterEach(async () => {
  await here.expectCleanBooks();
  await there.close();
  await proxy.close();
  await here.close();
});

const OWNER = { accountId: "default", staffId: undefined };
const OFFER = "TIGO_GT_TOPUP_25";
const NUMBER = "+50251234567";

function ask(
  gateway: TestGateway,
  method: string,
  path: string,
  of: { cookie: string },
  body?: unknown,
) {
  const headers = { cookie: of.cookie };
  return gateway.call(method, path, body === undefined ? { headers } : { headers, body });
}

function withKey(gateway: TestGateway, key: string, path = "/v1/balance"): Promise<Answer> {
  return gateway.call("GET", path, { headers: { authorization: `Bearer ${key}` } });
}

async function addClerk(rights: object = {}): Promise<TestTill> {
  const added = { name: "Ana", role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", added)).body;
  await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: rights });
  return owner.signIn(staffId, "1739");
}

describe("a second gateway on one PostgreSQL", () => {
  it.each(["as long as it hears of commits", "though the network swallows what it would hear"])(
    "refuses a key that was revoked at the first gateway, %s",
    async (how) => {
      const { keys } = here.gateway.context;
      const made = await keys.create({ ...OWNER, environment: "test" }, "to be revoked");
      expect((await withKey(there, made.key)).status).toBe(200);
      // After this request the key is cached.
      expect((await withKey(there, made.key)).status).toBe(200);
      if (how.startsWith("though")) proxy.swallowNotices();
      await keys.revoke(OWNER, made.keyId);
      expect((await withKey(here, made.key)).status).toBe(401);
      await expect.poll(async () => (await withKey(there, made.key)).status).toBe(401);
    },
  );

  it.each(["as long as it hears of commits", "though the network swallows what it would hear"])(
    "rejects a device that was revoked at the first gateway, %s",
    async (how) => {
      const { devices } = here.gateway.context;
      const { code } = await devices.makeCode(OWNER, "Tablet");
      const key = await devices.enrol(code, "192.168.1.9");
      const admit = () => there.gateway.context.devices.admit(key, "192.168.1.9", new Socket());
      const device = await admit();
      expect(await admit()).toEqual({ deviceId: expect.any(String) });
      if (how.startsWith("though")) proxy.swallowNotices();
      await devices.revoke(OWNER, device!.deviceId);
      await expect.poll(admit).toBeUndefined();
    },
  );

  it("accepts a session started at the first gateway, and rejects it after a sign-out or the person's dismissal", async () => {
    proxy.swallowNotices();
    const clerk = await addClerk();
    expect((await ask(there, "GET", "/pos/wallet", clerk)).status).toBe(200);
    await clerk.pos("DELETE", "/session");
    expect((await ask(there, "GET", "/pos/wallet", clerk)).status).toBe(401);
    const again = await owner.signIn(clerk.staffId, "1739");
    expect((await ask(there, "GET", "/pos/wallet", again)).status).toBe(200);
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { active: false });
    expect((await ask(there, "GET", "/pos/wallet", again)).status).toBe(401);
  });

  it("applies changed permissions of a person at once", async () => {
    proxy.swallowNotices();
    const clerk = await addClerk({ reprint: true });
    const { saleId } = (await clerk.sell([{ offerId: OFFER, recipientPhoneNumber: NUMBER }])).body;
    const reprint = () => ask(there, "POST", `/pos/sales/${saleId}/prints`, clerk);
    expect((await reprint()).status).toBe(200);
    expect((await reprint()).status).toBe(200);
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { ownRights: { reprint: false } });
    expect((await reprint()).body.errorCode).toBe("APPROVAL_REQUIRED");
  });

  it("sells at prices that were saved at the first gateway", async () => {
    proxy.swallowNotices();
    const line = { offerId: OFFER, recipientPhoneNumber: NUMBER };
    const quoted = await ask(there, "POST", "/pos/quotes", owner, { offerId: OFFER });
    const sale = await owner.prepareSale([line]);
    const base = (await owner.pos("GET", "/prices/test")).body.newest;
    const saved = await owner.pos("PUT", "/prices/test", { list: DEARER, base });
    expect(saved.status).toBe(200);
    // If the notice is lost, the gateway uses its cache for up to five seconds.
    await expect
      .poll(
        async () => (await ask(there, "POST", "/pos/quotes", owner, { offerId: OFFER })).body.price,
      )
      .toBeGreaterThan(quoted.body.price);
    const refused = await ask(there, "POST", "/pos/sales", owner, sale);
    expect(refused.body.errorCode).toBe("PRICE_CHANGED");
    const dearer = await owner.prepareSale([line]);
    expect((await ask(there, "POST", "/pos/sales", owner, dearer)).status).toBe(200);
    await there.settle();
    await here.settle();
  });

  it("returns a query result that was stored at the first gateway", async () => {
    const body = { offerId: OFFER, transactionId: "asked", recipientPhoneNumber: NUMBER };
    await here.v1("POST", "/topups/purchases", body);
    const look = async () => (await there.v1("GET", "/topups/purchases/asked")).body.status;
    expect(await look()).not.toBe("DONE");
    await here.advance(1_000);
    expect((await here.v1("GET", "/topups/purchases/asked")).body.status).toBe("DONE");
    await expect.poll(look).toBe("DONE");
  });
});

const NO_TAX = { kind: "NONE", percent: "0" } as const;
const DEARER: PriceList = {
  rules: [
    {
      ruleId: "one",
      enabled: true,
      target: { family: "TOPUP" },
      class: "STANDARD",
      channel: "ANY",
      basis: "COST",
      how: "MARKUP",
      percent: "80",
    },
  ],
  taxes: { TOPUP: NO_TAX, VOUCHER: NO_TAX, ESIM: NO_TAX, BILL_PAY: NO_TAX },
  fxBufferPercent: "0",
  driftAlertPercent: "2",
};

describe("simultaneous PIN guesses at two gateways", () => {
  const guess = (gateway: TestGateway, staffId: string, cookie = "") =>
    gateway.call("POST", "/pos/session", { body: { staffId, pin: "5820" }, headers: { cookie } });

  it("share one limit for unknown devices", async () => {
    const { staffId } = await addClerk();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => guess(n % 2 ? here : there, staffId)),
    );
    expect(await countChecked(answers)).toBe(5);
    for (const gateway of [here, there]) {
      const right = { body: { staffId, pin: "1739" } };
      expect((await gateway.call("POST", "/pos/session", right)).body.errorCode).toBe("PIN_LOCKED");
    }
  });

  it("share one limit at a person's own device", async () => {
    const body = { staffId: owner.staffId, pin: OWNER_PIN };
    const signedIn = await here.call("POST", "/pos/session", { body });
    const cookies = signedIn.headers.getSetCookie().map((one) => one.split(";", 1)[0]);
    const device = cookies.find((one) => one?.startsWith("tillgate_device="));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => guess(n % 2 ? here : there, owner.staffId, device)),
    );
    expect(await countChecked(answers)).toBe(5);
    // Unknown devices are counted separately.
    expect((await guess(there, owner.staffId)).body.errorCode).toBe("PIN_WRONG");
  });
});

async function countChecked(answers: readonly Answer[]): Promise<number> {
  const codes = answers.map(({ body }) => body.errorCode);
  expect(
    codes.filter((code) => code === "PIN_WRONG"),
    codes.join(),
  ).toHaveLength(4);
  expect(codes.filter((code) => code === "PIN_LOCKED")).toHaveLength(answers.length - 4);
  const trail = await here.gateway.context.db
    .selectFrom("audit_trail")
    .select("action")
    .where("action", "=", "staff.pin-wrong")
    .execute();
  return trail.length;
}
