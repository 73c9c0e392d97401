import { afterAll, beforeAll, expect, it } from "vitest";
import { simulate } from "../testing/simulation/simulation.ts";
import { makeTemplateShop, type TemplateShop } from "../testing/simulation/template-shop.ts";

/** Simulates a few seeds; `simulation.long.test.ts` simulates more. */
let template: TemplateShop;
beforeAll(async () => {
  template = await makeTemplateShop();
});
afterAll(() => template.remove());

it.each(Array.from({ length: 4 }, (_, index) => index + 1))(
  "the simulation of days of faults, crashes and clock jumps ends with books in order (seed %d)",
  async (seed) => {
    const { faults, trace } = await simulate(seed, template);
    expect(faults, trace.join("\n")).toEqual([]);
  },
);

it("the simulation of a seed runs the same way each time", async () => {
  const first = await simulate(7, template);
  const second = await simulate(7, template);
  expect(second.trace).toEqual(first.trace);
  expect(first.trace.length).toBeGreaterThan(10);
});
