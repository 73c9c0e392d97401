import { expect, it } from "vitest";
import { sellMutated } from "../../testing/mutated-sales.ts";

/** Of the mutations each n-th; `mutated-answers.long.test.ts` tries all. */
const SAMPLE = 23;

it("agrees with its upstream after a sample of mutated answers", async () => {
  const count = await sellMutated(SAMPLE);
  console.log(`mutated answers: ${count} sampled`);
  expect(count).toBeGreaterThan(50);
});
