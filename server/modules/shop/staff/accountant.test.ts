import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PriceList } from "../../../contract/pos/prices.ts";
import { HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const PIN = "391746";
const SOLD = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

let gateway: TestGateway;
let owner: TestTill;

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

async function hire(name: string, role: string, ownRights?: object): Promise<TestTill> {
  const { body } = await owner.pos("POST", "/staff", { name, role, pin: PIN });
  if (ownRights) await owner.pos("PATCH", `/staff/${body.staffId}`, { ownRights });
  return owner.signIn(body.staffId, PIN, { shift: false });
}

describe("an accountant", () => {
  it("can see figures, every sale and every Z report, but cannot sell", async () => {
    const accountant = await hire("Aline", "accountant");
    const { saleId } = (await owner.sell([SOLD])).body;
    await gateway.advance(MINUTE);
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const closed = await owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
    expect(closed.body).toMatchObject({ zNumber: 1 });
    for (const path of [
      "/figures/today",
      "/z-reports?limit=9&offset=0",
      `/sales/${saleId}`,
      "/wallet",
      "/audit-trail?limit=1",
    ]) {
      expect([path, (await accountant.pos("GET", path)).status]).toEqual([path, 200]);
    }
    const accounting = (await accountant.pos("GET", "/accounting")).body;
    accounting.accounts.CASH = "1000";
    expect((await accountant.pos("PUT", "/accounting", accounting)).body).toEqual(accounting);
    const clerk = await hire("Rosa", "clerk", { seeFigures: true });
    for (const [method, path] of [
      ["PUT", "/accounting"],
      ["GET", "/audit-trail?limit=1"],
    ] as const) {
      const refused = await clerk.pos(method, path, method === "PUT" ? accounting : undefined);
      expect([path, refused.status, refused.body.errorCode]).toEqual([path, 403, "FORBIDDEN"]);
    }
    const sale = await accountant.prepareSale([{ ...SOLD, price: 500 }]);
    expect((await accountant.pos("POST", "/sales", sale)).body.errorCode).toBe("FORBIDDEN");
  });

  it("cannot approve actions, and cannot receive permissions or limits of the till", async () => {
    const { body } = await owner.pos("POST", "/staff", {
      name: "Bo",
      role: "accountant",
      pin: PIN,
    });
    const clerk = await hire("Eva", "clerk");
    const { list } = (await clerk.pos("GET", "/approvers?needs=seeExpectedCash")).body;
    expect(list.map(({ name }: { name: string }) => name)).toEqual(["Olga"]);
    const path = `/staff/${body.staffId}`;
    const wrong = await owner.pos("PATCH", path, { ownRights: { noSale: true } });
    expect(wrong.body.fields).toHaveProperty(["ownRights.noSale"]);
    const limited = await owner.pos("PATCH", path, { limits: { perSale: 1 } });
    expect(limited.body.fields).toHaveProperty("limits");
    const kept = await owner.pos("PATCH", path, { ownRights: { settleCases: true } });
    expect(kept.body.rights).toMatchObject({ settleCases: true, noSale: false, discountPct: 0 });
  });

  it("loses all permissions and limits of the till when the role is assigned", async () => {
    const cara = (await owner.pos("POST", "/staff", { name: "Cara", role: "clerk", pin: PIN }))
      .body;
    const path = `/staff/${cara.staffId}`;
    await owner.pos("PATCH", path, { ownRights: { noSale: true }, limits: { perSale: 9 } });
    const { body } = await owner.pos("PATCH", path, { role: "accountant" });
    expect(body).toMatchObject({ limits: {}, ownRights: {}, rights: { noSale: false } });
  });
});

describe("a person with the permission to change prices", () => {
  const markup = (percent: string): PriceList["rules"][number] => ({
    ruleId: "one",
    enabled: true,
    target: { family: "TOPUP" },
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent,
  });
  const tax = { kind: "NONE", percent: "0" } as const;
  const listOf = (rules: PriceList["rules"], floor: string): PriceList => ({
    rules,
    floor: { aboveCostPercent: floor },
    taxes: { TOPUP: tax, VOUCHER: tax, ESIM: tax, BILL_PAY: tax },
    fxBufferPercent: "0",
    driftAlertPercent: "2",
  });

  it("can save a price list, but not allow a loss, lower the floor or restore a list that does", async () => {
    const dora = await hire("Dora", "supervisor", { changePrices: true });
    const save = (by: TestTill, base: number, list: PriceList) =>
      by.pos("PUT", "/prices/test", { base, list });
    expect((await save(dora, 0, listOf([markup("9")], "5"))).body.newest).toBe(1);
    const until = toTimestamp(gateway.clock.now() + HOUR);
    const belowCost = { reason: "Opening", until, maxLossPerSale: 1, budget: 2 };
    const losing = listOf([{ ...markup("9"), belowCost }], "5");
    for (const list of [losing, listOf([markup("9")], "4")]) {
      const refused = await save(dora, 1, list);
      expect(refused.body).toMatchObject({
        errorCode: "FORBIDDEN",
        fields: { right: "belowCost" },
      });
    }
    expect((await save(owner, 1, losing)).body.newest).toBe(2);
    const also = listOf(
      [
        { ...markup("9"), belowCost },
        { ...markup("3"), ruleId: "two" },
      ],
      "5",
    );
    const other = {
      ...also,
      rules: [also.rules[0]!, { ...also.rules[1]!, channel: "API" as const }],
    };
    expect((await save(dora, 2, other)).body.newest).toBe(3);
    await save(owner, 3, listOf([markup("9")], "5"));
    const undone = await dora.pos("POST", "/prices/test/undo", { base: 4, to: 3 });
    expect(undone.body.errorCode).toBe("FORBIDDEN");
  });
});

describe("a second owner", () => {
  it("can give the first owner a new strong PIN; the change is recorded and ends that owner's session", async () => {
    const second = await hire("Omar", "owner");
    const path = `/staff/${owner.staffId}`;
    for (const pin of ["4711", "123456"]) {
      const refused = await second.pos("PATCH", path, { pin });
      expect(refused.body).toMatchObject({
        errorCode: "PIN_WEAK",
        fields: { pin: expect.any(String) },
      });
    }
    await second.pos("PATCH", path, { pin: "860257" });
    expect((await owner.pos("GET", "/session")).body.errorCode).toBe("NOT_SIGNED_IN");
    const tried = { body: { staffId: owner.staffId, pin: OWNER_PIN } };
    expect((await gateway.call("POST", "/pos/session", tried)).body.errorCode).toBe("PIN_WRONG");
    owner = await second.signIn(owner.staffId, "860257");
    const { list } = (await owner.pos("GET", "/audit-trail?action=staff.pin&limit=5")).body;
    expect(list[0]).toMatchObject({ staff: { name: "Omar" }, subject: owner.staffId });
  });
});
