import { afterEach, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { isWalk } from "../../../testing/query-walks.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const openCauses = async (owner: TestTill): Promise<string[]> =>
  (await owner.pos("GET", "/alerts")).body.open.map(({ cause }: { cause: string }) => cause);

it("the check of alerts runs soon after a commit, and every minute without a commit", async () => {
  let free = 100 * 1024 ** 3;
  till = await startTestGateway({ automaticAlerts: true, readFreeBytes: async () => free });
  const owner = await openTill(till);
  await owner.pos("PUT", "/wallet/test-balance", { available: 0 });
  await till.advance(5 * SECOND);
  await expect.poll(() => openCauses(owner)).toEqual(["WALLET_EMPTY"]);
  // Writing the alert is also a commit, so a further check follows.
  await till.advance(10 * SECOND);
  free = 1024 ** 3;
  await till.advance(MINUTE);
  await expect.poll(() => openCauses(owner)).toEqual(["WALLET_EMPTY", "DISK"]);
});

it("the list of alerts is marked until the first check after the start is complete", async () => {
  till = await startTestGateway({ automaticAlerts: true });
  const owner = await openTill(till);
  const isChecking = async () => (await owner.pos("GET", "/alerts")).body.isChecking;
  expect(await isChecking()).toBe(true);
  await till.advance(5 * SECOND);
  await expect.poll(isChecking).toBeUndefined();
});

it(
  "the check of alerts uses indexes, even after years of sales",
  onlySqlite(READS_PLANS),
  async () => {
    const statements = new Set<string>();
    till = await startTestGateway({ onStatement: (statement) => statements.add(statement) });
    const owner = await openTill(till, { currency: "GTQ", rate: "7.66" });
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }]);
    await till.advance(MINUTE);
    statements.clear();
    await till.gateway.context.alertRounds.look();
    const asked = [...statements].filter((statement) => /^\s*(select|with)\b/i.test(statement));
    expect(asked.length).toBeGreaterThan(10);
    for (const statement of asked) {
      const steps = await explainPlan(till.gateway.context.db, statement);
      expect([statement, steps.filter(isWalk)]).toEqual([statement, []]);
    }
  },
);
