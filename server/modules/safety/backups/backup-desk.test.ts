import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
let name: string;
const SOLD = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  await owner.sell([SOLD]);
});
afterAll(() => gateway.close());

async function work(kind: string, of?: string) {
  const begun = await owner.pos("POST", "/backups/work", { kind, ...(of && { name: of }) });
  expect(begun.body.work).toMatchObject({ kind });
  await expect
    .poll(async () => (await owner.pos("GET", "/backups")).body.work.state)
    .not.toBe("RUNNING");
  return (await owner.pos("GET", "/backups")).body;
}

describe("a backup at the owner's till", () => {
  it("can be made and verified on request, and is reported if it is damaged", async () => {
    const { list, work: made } = await work("MAKE");
    name = list[0].name;
    expect(made).toMatchObject({ state: "DONE", name, problems: [] });
    expect((await work("VERIFY", name)).work).toMatchObject({ problems: [], outdated: false });
    const broken = "tillgate-20200101T000000Z.backup";
    writeFileSync(join(gateway.dataDir, "backups", broken), "no database");
    expect((await work("VERIFY", broken)).work.problems).not.toEqual([]);
    const missing = await owner.pos("POST", "/backups/work", {
      kind: "VERIFY",
      name: "tillgate-20190101T000000Z.backup",
    });
    expect(missing.body.errorCode).toBe("NOT_FOUND");
    const unnamed = await owner.pos("POST", "/backups/work", { kind: "LOOK" });
    expect(unnamed.body.fields).toHaveProperty("name");
  });

  it("shows its content as it would be after a restore, and leaves no temporary copy", async () => {
    const wallet = (await gateway.v1("GET", "/balance")).body.availableBalance;
    await owner.sell([SOLD]);
    const { view, problems } = (await work("LOOK", name)).work;
    expect(problems).toEqual([]);
    expect(view).toMatchObject({ sales: 1, newestSale: { saleNumber: 1, environment: "test" } });
    const test = view.wallets.find((one: { environment: string }) => one.environment === "test");
    expect(test.available + test.held).toBeGreaterThanOrEqual(wallet);
    expect(readdirSync(join(gateway.dataDir, "backups")).filter((one) => /part/.test(one))).toEqual(
      [],
    );
  });
});

describe("a requested restore", () => {
  const ask = (pin: string) => owner.pos("PUT", "/backups/restore", { name, pin });

  it("requires the PIN, can be withdrawn, and runs at the next start", async () => {
    expect((await ask("860257")).body.errorCode).toBe("PIN_WRONG");
    expect((await ask(OWNER_PIN)).body.restore).toMatchObject({ name });
    expect((await owner.pos("DELETE", "/backups/restore")).body.restore).toBeUndefined();
    await gateway.restart();
    expect((await owner.pos("GET", "/sales?limit=9&offset=0")).body.list).toHaveLength(2);
    await ask(OWNER_PIN);
    await gateway.restart();
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    expect((await owner.pos("GET", "/sales?limit=9&offset=0")).body.list).toHaveLength(1);
    expect((await owner.pos("GET", "/backups")).body.restore).toBeUndefined();
    expect(readdirSync(gateway.dataDir).some((one) => one.startsWith("before-restore-"))).toBe(
      true,
    );
  });

  it("leaves the shop unchanged if it fails, and reports the reason", async () => {
    const broken = "tillgate-20200101T000000Z.backup";
    await owner.pos("PUT", "/backups/restore", { name: broken, pin: OWNER_PIN });
    await gateway.restart();
    const { restore } = (await owner.pos("GET", "/backups")).body;
    expect(restore).toMatchObject({ name: broken, failure: expect.stringContaining("not good") });
    expect((await owner.pos("GET", "/sales?limit=9&offset=0")).body.list).toHaveLength(1);
  });
});
