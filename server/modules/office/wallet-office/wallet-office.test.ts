import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterEach(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

async function overview() {
  return (await owner.pos("GET", "/wallet/overview")).body;
}

async function setBalance(available: number) {
  const { status, body } = await owner.pos("PUT", "/wallet/test-balance", { available });
  expect(status).toBe(200);
  return body;
}

function setAlert(alert: object) {
  return owner.pos("PUT", "/wallet/alert", { environment: "test", ...alert });
}

describe("the wallet", () => {
  it("becomes low at the owner's limits of amount and business hours", async () => {
    expect(await overview()).toMatchObject({ available: 100_000, alert: {}, low: [] });
    await setBalance(5_000);
    expect((await setAlert({ lowAmount: 5_000 })).body).toEqual({ lowAmount: 5_000 });
    expect((await overview()).low).toEqual(["AMOUNT"]);
    await setBalance(5_001);
    expect((await overview()).low).toEqual([]);

    // All sales in four weeks were from nine to eleven on a single day, so the next sale is
    // expected a week later.
    for (let hour = 0; hour < 2; hour++) {
      await owner.sell([TOPUP]);
      await gateway.advance(HOUR);
    }
    gateway.clock.set(gateway.clock.now() + DAY * 7 - 2 * HOUR);
    owner = await owner.signIn(owner.staffId, OWNER_PIN);
    await setBalance(1);
    await setAlert({ lowHours: 1 });
    const seen = await overview();
    // The balance covers only the first quarter hour with sales.
    expect(seen).toMatchObject({ hoursLeft: 0, low: ["HOURS"], alert: { lowHours: 1 } });
    await setBalance(0);
    expect((await overview()).low).toEqual(["EMPTY"]);
  });

  it("notifies tills when the alert limits change", async () => {
    const { db } = gateway.gateway.context;
    const count = async () =>
      (await db.selectFrom("changes").selectAll().where("topic", "=", "wallet").execute()).length;
    const before = await count();
    await setAlert({ lowAmount: 100 });
    await setAlert({ lowAmount: 100 });
    expect(await count()).toBe(before + 1);
    const { list } = (await owner.pos("GET", "/audit-trail?action=wallet.alert&limit=5")).body;
    expect(list.map(({ detail }: { detail: object }) => detail)).toMatchObject([
      { environment: "test", lowAmount: 100, "lowAmount.was": 0, currency: "USD" },
    ]);
  });

  it("can be set to any amount in the test environment, by a posting with an audit entry", async () => {
    expect(await setBalance(123)).toMatchObject({ available: 123, environment: "test" });
    await setBalance(123);
    const { list } = (await owner.pos("GET", "/wallet/statement?limit=1")).body;
    expect(list).toMatchObject([
      { kind: "RECHARGE", available: { change: 123 - 100_000, balance: 123 } },
    ]);
    const trail = (await owner.pos("GET", "/audit-trail?action=wallet.set&limit=5")).body.list;
    expect(trail).toHaveLength(1);
    expect(trail[0]).toMatchObject({
      staff: { name: "Olga" },
      detail: { available: 123, "available.was": 100_000 },
    });
  });

  it("stores the reference of a recharge for searches", async () => {
    const input = {
      rechargeId: randomUUID(),
      environment: "test",
      amount: 700,
      reference: " Transfer 88-1 ",
    };
    expect((await owner.pos("POST", "/wallet/recharges", input)).status).toBe(200);
    const { list } = (await owner.pos("GET", "/wallet/statement?limit=1")).body;
    expect(list[0]).toMatchObject({ reference: "Transfer 88-1", available: { change: 700 } });
  });

  it("can be managed only by the owner, and seen with the permission to see figures", async () => {
    const ana = { name: "Ana", role: "supervisor", pin: "2583" };
    const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
    const supervisor = await owner.signIn(staffId, ana.pin);
    const reads = ["/wallet/overview", "/wallet/statement?limit=5"];
    for (const path of reads) {
      expect((await supervisor.pos("GET", path)).body.errorCode).toBe("FORBIDDEN");
    }
    await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: { seeFigures: true } });
    for (const path of reads) expect((await supervisor.pos("GET", path)).status).toBe(200);
    const alert = { environment: "test", lowAmount: 1 };
    expect((await supervisor.pos("PUT", "/wallet/alert", alert)).status).toBe(403);
    const balance = { available: 1 };
    expect((await supervisor.pos("PUT", "/wallet/test-balance", balance)).status).toBe(403);
    await owner.sell([TOPUP]);
    await gateway.advance(MINUTE);
  });
});
