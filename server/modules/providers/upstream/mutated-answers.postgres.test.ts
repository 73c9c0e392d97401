import { expect, it } from "vitest";
import { sellMutated } from "../../../testing/mutated-sales.ts";

it("a gateway on PostgreSQL agrees with its upstream after a sample of the mutations", async () => {
  expect(await sellMutated(50)).toBeGreaterThan(60);
});
