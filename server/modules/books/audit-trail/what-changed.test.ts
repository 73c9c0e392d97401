import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let ana: string;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const person = { name: "Ana", role: "clerk", pin: "1739" };
  ana = (await owner.pos("POST", "/staff", person)).body.staffId;
});
afterAll(() => till.close());

interface Entry {
  entryId: number;
  action: string;
  detail: Record<string, unknown>;
}

async function entriesOf(action: () => Promise<{ status: number } | undefined>): Promise<Entry[]> {
  const read = async (): Promise<Entry[]> =>
    (await owner.pos("GET", "/audit-trail?limit=200")).body.list;
  const before = new Set((await read()).map(({ entryId }) => entryId));
  const answer = await action();
  if (answer) expect(answer.status).toBe(200);
  return (await read()).filter(({ entryId }) => !before.has(entryId)).reverse();
}

const QUETZAL = { currency: "GTQ", currencyDivisor: 100 };

describe("changes of a person's permissions", () => {
  const RIGHTS = { discountPct: 0, reprint: true, customerRefund: true };
  const patch = (change: object) => () => owner.pos("PATCH", `/staff/${ana}`, change);

  it("add only the changed limit to the audit trail, though the form sends all rights and limits", async () => {
    const entries = await entriesOf(patch({ ownRights: RIGHTS, limits: { perSale: 60_000 } }));
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["staff.limits", { perSale: 60_000, ...QUETZAL }],
    ]);
    const raised = await entriesOf(
      patch({ limits: { perSale: 80_000, perProduct: { VOUCHER: 5_000 } }, ownRights: RIGHTS }),
    );
    expect(raised.map(({ detail }) => detail)).toEqual([
      { perSale: 80_000, "perSale.was": 60_000, "perProduct.VOUCHER": 5_000, ...QUETZAL },
    ]);
    const [gone] = await entriesOf(patch({ limits: {} }));
    expect(gone?.detail).toEqual({
      "perSale.was": 80_000,
      "perProduct.VOUCHER.was": 5_000,
      ...QUETZAL,
    });
  });

  it("have an audit entry with the old and new value of each changed right only", async () => {
    const given = await entriesOf(
      patch({ ownRights: { ...RIGHTS, payOut: true, discountPct: 5 } }),
    );
    expect(given.map(({ action, detail }) => [action, detail])).toEqual([
      ["staff.rights", { payOut: true, "payOut.was": false, discountPct: 5, "discountPct.was": 0 }],
    ]);
    expect(await entriesOf(patch({ ownRights: { payOut: true, discountPct: 5 } }))).toEqual([]);
  });
});

describe("the audit entry of an owner's change", () => {
  it("has the changed values of the settings", async () => {
    const settings = (await owner.pos("GET", "/settings")).body;
    const put = (change: object) => () => owner.pos("PUT", "/settings", { ...settings, ...change });
    const [lock] = await entriesOf(put({ idleLockMinutes: 7 }));
    expect(lock?.detail).toEqual({ idleLockMinutes: 7, "idleLockMinutes.was": 0 });
    const [lookup] = await entriesOf(put({ idleLockMinutes: 7, lookupEnabled: false }));
    expect(lookup?.detail).toEqual({ lookupEnabled: false, "lookupEnabled.was": true });
    const receipt = { address: ["12 Calle"], support: [] };
    const [text] = await entriesOf(put({ idleLockMinutes: 7, lookupEnabled: false, receipt }));
    expect(text?.detail).toEqual({ receiptAddress: "12 Calle", "receiptAddress.was": "" });
  });

  it("has the changed values of a printer", async () => {
    const printerId = randomUUID();
    const printer = {
      name: "Counter",
      host: "192.168.1.50",
      port: 9100,
      paper: "80mm",
      drawer: true,
    };
    const save = (change: object) => () =>
      owner.pos("PUT", `/printers/${printerId}`, { ...printer, ...change });
    const [added] = await entriesOf(save({}));
    expect(added?.detail).toMatchObject({ host: "192.168.1.50", port: 9100, drawer: true });
    const [moved] = await entriesOf(save({ host: "192.168.1.51", drawer: false }));
    expect(moved?.detail).toEqual({
      name: "Counter",
      host: "192.168.1.51",
      "host.was": "192.168.1.50",
      drawer: false,
      "drawer.was": true,
    });
    const [gone] = await entriesOf(() => owner.pos("DELETE", `/printers/${printerId}`));
    expect(gone?.detail).toMatchObject({ name: "Counter", host: "192.168.1.51" });
  });

  it("has the currency of a recharged wallet", async () => {
    const scope = { accountId: "default", environment: "test" as const, staffId: undefined };
    const [entry] = await entriesOf(async () => {
      await till.gateway.context.recharges.recharge(scope, 5_000);
      return undefined;
    });
    expect(entry?.detail).toEqual({
      environment: "test",
      amount: 5_000,
      available: 105_000,
      "available.was": 100_000,
      currency: "USD",
      currencyDivisor: 100,
    });
  });

  it("has the currency and the reason of a cash movement", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const movement = { movementId: randomUUID(), kind: "PAY_IN", amount: 700, reason: "Change" };
    const [entry] = await entriesOf(() =>
      owner.pos("POST", `/shifts/${shift.shiftId}/movements`, movement),
    );
    expect(entry?.detail).toMatchObject({ amount: 700, reason: "Change", ...QUETZAL });
  });

  it("has the name of a revoked API key", async () => {
    const { keys, accountId } = till.gateway.context;
    const { keyId } = await keys.create({ accountId, environment: "test" as const }, "Web shop");
    const [entry] = await entriesOf(async () => {
      await keys.revoke({ accountId }, keyId);
      return undefined;
    });
    expect(entry?.detail).toEqual({ name: "Web shop", environment: "test" });
  });
});
