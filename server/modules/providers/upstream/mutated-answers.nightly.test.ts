import { expect, it } from "vitest";
import { sellMutated } from "../../../testing/mutated-sales.ts";

it("a gateway agrees with its upstream after each single mutation of every response", async () => {
  expect(await sellMutated(1)).toBeGreaterThan(3_000);
});
