import { expect, it } from "vitest";
import { sellMutated } from "../../../testing/mutated-sales.ts";

it("agrees with its upstream on PostgreSQL after a sample of the mutations", async () => {
  expect(await sellMutated(50)).toBeGreaterThan(60);
});
