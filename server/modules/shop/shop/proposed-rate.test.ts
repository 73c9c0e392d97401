import { afterEach, describe, expect, it } from "vitest";
import type { CheckedForLive } from "../../../contract/pos/till-environment.ts";
import { DAY } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { setUpTill, type TestTill } from "../../../testing/test-till.ts";

let shop: TestGateway;
afterEach(() => shop.close());

async function rateCheck(owner: TestTill): Promise<CheckedForLive | undefined> {
  const { body } = await owner.pos("POST", "/till-environment/checks", { to: "live" });
  return body.checks.find(({ check }: CheckedForLive) => check === "RATE_RECENT");
}

async function setUpLate(rate: string | undefined): Promise<TestTill> {
  shop = await startTestGateway();
  shop.clock.set(shop.clock.now() + 60 * DAY);
  return setUpTill(shop, { currency: "GTQ", ...(rate !== undefined && { rate }) });
}

describe("an exchange rate proposed at set-up", () => {
  it.each([
    ["left out", undefined],
    ["taken as it was", "7.66"],
    ["taken as it was, written otherwise", "7.660"],
  ])(
    "an exchange rate proposed at set-up has the date of the proposal if it was %s, and blocks going live",
    async (_how, rate) => {
      const owner = await setUpLate(rate);
      expect(await rateCheck(owner)).toMatchObject({
        passed: false,
        stops: true,
        figures: { date: "2026-01-15" },
      });
      const { body } = await owner.pos("GET", "/till-environment");
      expect(body.rate).toMatchObject({ isOld: true, setAt: "2026-01-15T12:00:00.000Z" });
      // Saving the unchanged rate confirms it for today.
      await owner.pos("PUT", "/rate", { rate: "7.66" });
      expect(await rateCheck(owner)).toMatchObject({ passed: true });
    },
  );

  it("counts as confirmed on the day of the set-up if the owner changes it", async () => {
    expect(await rateCheck(await setUpLate("7.70"))).toMatchObject({ passed: true });
  });
});
