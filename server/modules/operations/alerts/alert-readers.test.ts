import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Alert, AlertList } from "../../../contract/pos/alerts.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let freeBytes: number;
const GB = 1024 ** 3;

beforeEach(async () => {
  freeBytes = 100 * GB;
  till = await startTestGateway({ readFreeBytes: async () => freeBytes });
  owner = await openTill(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function look(): Promise<AlertList> {
  await till.gateway.context.alertRounds.look();
  return list();
}

const list = async (of = owner): Promise<AlertList> => (await of.pos("GET", "/alerts")).body;
const causes = (alerts: readonly Alert[]) => alerts.map(({ cause }) => cause);
const open = async () => causes((await look()).open);
const setBalance = (available: number) => owner.pos("PUT", "/wallet/test-balance", { available });

describe("an alert", () => {
  it("remains silenced by an owner until it changes", async () => {
    freeBytes = 1 * GB;
    const [alert] = (await look()).open;
    const path = `/alerts/${alert?.alertId}/silence`;
    expect((await owner.pos("PUT", path, { on: true })).status).toBe(200);
    expect((await look()).open).toMatchObject([{ silenced: { name: "Olga" } }]);
    await owner.pos("PUT", path, { on: false });
    expect((await look()).open[0]?.silenced).toBeUndefined();
    await owner.pos("PUT", path, { on: true });
    freeBytes = 0.1 * GB;
    expect((await look()).open[0]?.silenced).toBeUndefined();
    freeBytes = 9 * GB;
    await look();
    expect((await owner.pos("PUT", path, { on: true })).body.errorCode).toBe("NOT_FOUND");
  });

  it("appears only for people who can act on it, and never in training", async () => {
    freeBytes = 1 * GB;
    await setBalance(0);
    const ana = { name: "Ana", role: "clerk", pin: "258346" };
    const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
    const clerk = await owner.signIn(staffId, ana.pin);
    expect(await open()).toEqual(["WALLET_EMPTY", "DISK"]);
    expect(await list(clerk)).toEqual({ watched: [], open: [], resolved: [] });
    await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: { seeFigures: true } });
    const seeing = await owner.signIn(staffId, ana.pin, { shift: false });
    expect(causes((await list(seeing)).open)).toEqual(["WALLET_EMPTY"]);
    const [alert] = (await list(seeing)).open;
    const silence = await seeing.pos("PUT", `/alerts/${alert?.alertId}/silence`, { on: true });
    expect(silence.status).toBe(403);
    await owner.pos("POST", "/session/training", { on: true });
    expect((await list()).open).toEqual([]);
  });

  it("stays the same after a restart, and notifies the tills once for each change", async () => {
    const { db } = till.gateway.context;
    const heard = async () =>
      (await db.selectFrom("changes").selectAll().where("topic", "=", "alerts").execute()).length;
    freeBytes = 1 * GB;
    const before = await look();
    const once = await heard();
    await till.restart();
    expect((await look()).open).toEqual(before.open);
    const again = till.gateway.context.db;
    const rows = await again
      .selectFrom("changes")
      .selectAll()
      .where("topic", "=", "alerts")
      .execute();
    expect(rows).toHaveLength(once);
  });
});
