import { afterAll, beforeAll, expect, it } from "vitest";
import { testServer } from "../testing/postgres-database.ts";
import { simulate } from "../testing/simulation/simulation.ts";
import { makeTemplateShop, type TemplateShop } from "../testing/simulation/template-shop.ts";

/**
 * Number of seeds: 20 in CI, `SIMULATION_SEEDS=300` by hand. A simulated power cut ends the gateway
 * and its connections.
 */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 20);
const SEEDS_PER_TEST = 50;
const AT_ONCE = 3;

let template: TemplateShop;
beforeAll(async () => {
  template = await makeTemplateShop(testServer());
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
    const count = Math.min(SEEDS_PER_TEST, SEEDS - first + 1);
    const left = Array.from({ length: count }, (_, index) => first + index);
    const broken: Record<number, string[]> = {};
    async function runThem(): Promise<void> {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
        const { faults } = await simulate(seed, template);
        if (faults.length > 0) broken[seed] = faults;
      }
    }
    // While one simulation waits for the server, another continues.
    await Promise.all(Array.from({ length: AT_ONCE }, runThem));
    expect(broken).toEqual({});
  },
);
