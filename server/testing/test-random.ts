import { Random } from "./simulation/random.ts";

/** Returns the random numbers of a test. Prints their seed; `TEST_SEED` in the environment replaces it. */
export function testRandom(defaultSeed: number): Random {
  const { TEST_SEED } = process.env;
  const seed = TEST_SEED === undefined ? defaultSeed : Number(TEST_SEED);
  process.stderr.write(`random numbers of this test: TEST_SEED=${seed}\n`);
  return new Random(seed);
}
