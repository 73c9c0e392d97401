import { expect, it } from "vitest";
import { sellMutated } from "../../testing/mutated-sales.ts";

it("agrees with its upstream after each single mutation of every answer", async () => {
  const count = await sellMutated(1);
  console.log(`mutated answers: ${count} tried`);
  expect(count).toBeGreaterThan(1_500);
});
