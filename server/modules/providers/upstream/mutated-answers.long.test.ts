import { expect, it } from "vitest";
import { sellMutated, sellUnreadableForADay } from "../../../testing/mutated-sales.ts";

/** Every field with some of its mutations: the night tries each. */
const EVERY = 3;

it("a gateway agrees with its upstream after single mutations of every field of its answers", async () => {
  expect(await sellMutated(EVERY)).toBeGreaterThan(1_000);
});

it("a purchase with unreadable answers for 24 running hours is left to the owner", async () => {
  const { sold, toDecide } = await sellUnreadableForADay();
  expect(toDecide).toEqual(sold);
});
