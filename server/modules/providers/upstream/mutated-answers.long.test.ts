import { expect, it } from "vitest";
import { sellMutated, sellUnreadableForADay } from "../../../testing/mutated-sales.ts";

it("agrees with its upstream after each single mutation of every answer", async () => {
  expect(await sellMutated(1)).toBeGreaterThan(3_000);
});

it("a purchase with unreadable answers for 24 running hours is left to the owner", async () => {
  const { sold, toDecide } = await sellUnreadableForADay();
  expect(toDecide).toEqual(sold);
});
