import { afterAll, beforeAll, expect, it } from "vitest";
import { simulate } from "../testing/simulation/simulation.ts";
import { makeTemplateShop, type TemplateShop } from "../testing/simulation/template-shop.ts";

/**
 * Number of seeds: 100 in CI, `SIMULATION_SEEDS=1000` by hand. `npm run simulate -- 123` repeats a
 * seed and prints its events.
 */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 100);
const SEEDS_PER_TEST = 50;

let template: TemplateShop;
beforeAll(async () => {
  template = await makeTemplateShop();
});
afterAll(() => template.remove());

it.each(
  Array.from(
    { length: Math.ceil(SEEDS / SEEDS_PER_TEST) },
    (_, index) => index * SEEDS_PER_TEST + 1,
  ),
)(
  "the simulation of days of faults, crashes and clock jumps ends with books in order, from seed %d",
  async (first) => {
    const broken: Record<number, string[]> = {};
    const end = Math.min(first + SEEDS_PER_TEST, SEEDS + 1);
    for (let seed = first; seed < end; seed++) {
      const { faults } = await simulate(seed, template);
      if (faults.length > 0) broken[seed] = faults;
    }
    expect(broken).toEqual({});
  },
);
