import { expect, it } from "vitest";
import { fuzz } from "../testing/fuzz.ts";

/** Fixed seeds, so that runs are reproducible. */
const SEEDS = [20_260_115, 20_260_116];
/** Number of requests per seed: 1,000 in CI, `FUZZ_REQUESTS=5000` by hand. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_000);

it.each(SEEDS)(
  "every response to random requests matches the description (seed %d)",
  async (seed) => {
    const { batchesWithoutTrace } = await fuzz(REQUESTS, seed);
    expect(batchesWithoutTrace).toBeGreaterThan(REQUESTS / 200);
  },
);
