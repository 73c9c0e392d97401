import { expect, it } from "vitest";
import { fuzz } from "../testing/fuzz.ts";

/** Fixed, so that a run that was green stays green: another seed is another walk. */
const SEEDS = [20_260_115, 20_260_116];
/** 1,000 requests for each seed in CI, `FUZZ_REQUESTS=5000` by hand. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_000);

it.each(SEEDS)(
  "every answer is as the description says, whatever is sent (seed %d)",
  async (seed) => {
    const { batchesWithoutTrace } = await fuzz(REQUESTS, seed);
    expect(batchesWithoutTrace).toBeGreaterThan(REQUESTS / 200);
  },
);
