import { afterAll, beforeAll, expect, it } from "vitest";
import { simulate } from "./testing/simulation/simulation.ts";
import { makeTemplateShop, type TemplateShop } from "./testing/simulation/template-shop.ts";

/** More seeds: `SIMULATION_SEEDS=1000`. `npm run simulate -- 123` runs one again and tells what happened. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 300);
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
)("50 shops through days of faults, crashes and jumps, from seed %d", async (first) => {
  const broken: Record<number, string[]> = {};
  for (let seed = first; seed < first + SEEDS_PER_TEST; seed++) {
    const { faults } = await simulate(seed, template);
    if (faults.length > 0) broken[seed] = faults;
  }
  expect(broken).toEqual({});
});
