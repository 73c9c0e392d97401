/** Pseudo-random numbers that depend only on a seed, so that a run can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 inclusive to 1 exclusive (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T;
  }

  /** Returns a random key of `weights`, with a probability proportional to its weight. */
  weighted<T extends string>(weights: Record<T, number>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of entries) {
      left -= weight;
      if (left < 0) return choice;
    }
    return entries[0]?.[0] as T;
  }
}

/**
 * Creates a test's random number generator, and prints its seed. `TEST_SEED` replaces the default.
 */
export function testRandom(defaultSeed: number): Random {
  const { TEST_SEED } = process.env;
  const seed = TEST_SEED === undefined ? defaultSeed : Number(TEST_SEED);
  process.stderr.write(`random numbers of this test: TEST_SEED=${seed}\n`);
  return new Random(seed);
}
