import { expect, it } from "vitest";
import { RECENT_SALE_MS, rankEarlier } from "./outcome.ts";

const recent = { isAlike: true, age: RECENT_SALE_MS - 1 };
const old = { isAlike: true, age: RECENT_SALE_MS };

it("puts what is being sent before all, whatever it is and however old", () => {
  expect(rankEarlier({ ...old, isAlike: false, outcome: "STILL_SENDING" })?.rank).toBe(0);
  expect(rankEarlier({ ...recent, outcome: "SENDING" })).toEqual({ rank: 0, same: true });
});

it("puts the same of a short while ago before what else was sold then", () => {
  expect(rankEarlier({ ...recent, outcome: "DELIVERED" })).toEqual({ rank: 1, same: true });
  const other = { ...recent, isAlike: false, outcome: "DELIVERED" } as const;
  expect(rankEarlier(other)).toEqual({ rank: 2, same: false });
});

it("takes what was not delivered for no mistake, and forgets what is longer ago", () => {
  expect(rankEarlier({ ...recent, outcome: "NOT_DELIVERED" })).toEqual({ rank: 2, same: true });
  expect(rankEarlier({ ...old, outcome: "DELIVERED" })).toBeUndefined();
});
