import { expect, it } from "vitest";
import { sellMutated, sellSequences } from "../../../testing/mutated-sales.ts";

it("a gateway agrees with its upstream after each single mutation of every response", async () => {
  expect(await sellMutated(1)).toBeGreaterThan(4_000);
});

it("a gateway agrees with its upstream after each refused resubmission", async () => {
  expect(await sellSequences(1)).toBeGreaterThan(1_000);
});
