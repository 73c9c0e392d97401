import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it } from "vitest";
import { shiftOperations } from "../../server/contract/pos/shifts.ts";
import { invalidateAnswers, queryKeyOf } from "./operation-query.ts";
import { newQueryClient } from "./testing/reset-page.ts";

let queryClient: QueryClient;
let answers: ((value: number) => void)[];
let stop: () => void;
const queryKey = queryKeyOf(shiftOperations.readX, { params: { shiftId: "one" } });

beforeEach(() => {
  queryClient = newQueryClient();
  answers = [];
  const queryFn = () => new Promise<number>((resolve) => answers.push(resolve));
  stop = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {});
});
afterEach(() => stop());

it("a first request is repeated if the data changes while the request is under way", async () => {
  expect(answers).toHaveLength(1);
  const invalidated = invalidateAnswers(queryClient, [shiftOperations.readX]);
  answers[0]?.(1);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(2);
  await invalidated;
  expect(queryClient.getQueryData(queryKey)).toBe(2);
});

it("an answered request is repeated once after a change", async () => {
  answers[0]?.(1);
  await expect.poll(() => queryClient.getQueryData(queryKey)).toBe(1);
  const invalidated = invalidateAnswers(queryClient, [shiftOperations.readX]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(2);
  await invalidated;
  expect([answers.length, queryClient.getQueryData(queryKey)]).toEqual([2, 2]);
});
