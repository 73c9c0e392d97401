import { expect, it } from "vitest";
import { sellMutated, sellSequences } from "../../../testing/mutated-sales.ts";

it("a gateway on PostgreSQL agrees with its upstream after a sample of the mutations", async () => {
  expect(await sellMutated(50)).toBeGreaterThan(60);
});

it("a gateway on PostgreSQL agrees with its upstream after a sample of the refused resubmissions", async () => {
  expect(await sellSequences(29)).toBeGreaterThan(25);
});
