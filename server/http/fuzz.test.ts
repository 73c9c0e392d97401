import { expect, it } from "vitest";
import { MINUTE } from "../lib/clock.ts";
import { fuzz } from "../testing/fuzz.ts";

/** A fixed seed. `npm run test:long` sends more requests, with other seeds. */
const SEED = 20_260_116;
const REQUESTS = 1_500;

it("every response to random requests matches the description, and refused requests change nothing", {
  tags: ["thorough"],
  timeout: 5 * MINUTE,
}, async () => {
  const { answered, batchesWithoutTrace } = await fuzz(REQUESTS, SEED);
  const seen = [...answered.keys()].map((key) => key.split(" "));
  const statuses = new Set(seen.map(([, , status]) => String(status)));
  expect([...statuses].sort()).toEqual(["200", "400", "401", "403", "404", "405", "413", "415"]);
  const operations = new Set(seen.map(([method, path]) => `${method} ${path}`));
  const letThrough = seen.filter(([, , status]) => status === "200");
  expect(letThrough.map(([method, path]) => `${method} ${path}`).sort()).toEqual(
    [...operations].sort(),
  );
  expect(batchesWithoutTrace).toBeGreaterThan(10);
});
