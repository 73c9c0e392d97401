import { expect, it } from "vitest";
import { RECENT_SALE_MS, rankEarlier } from "./outcome.ts";

const recent = { isAlike: true, age: RECENT_SALE_MS - 1 };
const old = { isAlike: true, age: RECENT_SALE_MS };

it("rankEarlier ranks a sale that is still being sent first, regardless of offer and age", () => {
  expect(rankEarlier({ ...old, isAlike: false, outcome: "STILL_SENDING" })?.rank).toBe(0);
  expect(rankEarlier({ ...recent, outcome: "SENDING" })).toEqual({ rank: 0, same: true });
});

it("rankEarlier ranks a recent sale of the same item before other recent sales", () => {
  expect(rankEarlier({ ...recent, outcome: "DELIVERED" })).toEqual({ rank: 1, same: true });
  const other = { ...recent, isAlike: false, outcome: "DELIVERED" } as const;
  expect(rankEarlier(other)).toEqual({ rank: 2, same: false });
});

it("rankEarlier ranks a failed sale like other recent sales, and ignores older sales", () => {
  expect(rankEarlier({ ...recent, outcome: "NOT_DELIVERED" })).toEqual({ rank: 2, same: true });
  expect(rankEarlier({ ...old, outcome: "DELIVERED" })).toBeUndefined();
});
