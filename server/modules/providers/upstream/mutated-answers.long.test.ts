import { expect, it } from "vitest";
import {
  sellMutated,
  sellSequences,
  sellUnreadableForADay,
} from "../../../testing/mutated-sales.ts";

/** Only every third mutation of each field is tried; the nightly test tries all. */
const EVERY = 3;

it("a gateway agrees with its upstream after single mutations of every field of its responses", async () => {
  expect(await sellMutated(EVERY)).toBeGreaterThan(1_000);
});

it("a gateway agrees with its upstream for each charset, size, nesting and spelling of its responses", async () => {
  expect(await sellMutated(1, ["REFORM"])).toBeGreaterThan(80);
  const spellings = ["EPOCH_TIME", "LOCAL_TIME", "OFFSET_TIME", "IMPOSSIBLE_TIME", "NUMBER_TEXT"];
  const others = ["HUGE_NUMBER", "CONTROL_CHARACTERS", "DEEP"];
  expect(await sellMutated(EVERY, [...spellings, ...others])).toBeGreaterThan(100);
});

it("a gateway agrees with its upstream after a lost response, a lagging replica and a refused resubmission", async () => {
  expect(await sellSequences(EVERY)).toBeGreaterThan(250);
});

it("a purchase whose responses stay unreadable for 24 hours of running time is left to the owner", async () => {
  const { sold, toDecide } = await sellUnreadableForADay();
  expect(toDecide).toEqual(sold);
});
