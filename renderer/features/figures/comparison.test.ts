import { expect, it } from "vitest";
import { changePercent } from "./components/row-list.tsx";

it.each([
  ["more", [1_200, 12], [1_000, 10], 20],
  ["less", [500, 10], [1_000, 40], -50],
  ["the same", [1_000, 10], [1_000, 10], 0],
  ["nine sales now", [1_200, 9], [1_000, 10], undefined],
  ["nine sales before", [1_200, 12], [1_000, 9], undefined],
  ["nothing before", [1_200, 12], [0, 10], undefined],
  ["a loss before", [1_200, 12], [-50, 10], undefined],
  ["a loss now", [-500, 12], [1_000, 10], -150],
] as const)("changePercent compares: %s", (_, [amount, of], [earlier, ofEarlier], percent) => {
  expect(changePercent({ amount, of }, { amount: earlier, of: ofEarlier })).toBe(percent);
});
