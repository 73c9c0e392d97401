import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { createSaleFollowers, FOLLOWS_SALES } from "./sale-followers.ts";
import { newQueryClient } from "./testing/reset-page.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
it("sales within seconds cause a single query of the visible figures, and another query after the last sale", async () => {
  const client = newQueryClient();
  const figures = vi.fn<() => Promise<number>>(async () => 1);
  const other = vi.fn<() => Promise<number>>(async () => 2);
  const stopFigures = new QueryObserver(client, {
    queryKey: ["figures"],
    queryFn: figures,
    meta: FOLLOWS_SALES,
  }).subscribe(() => {});
  const stopOther = new QueryObserver(client, { queryKey: ["other"], queryFn: other }).subscribe(
    () => {},
  );
  await vi.advanceTimersByTimeAsync(10);
  const followers = createSaleFollowers(client);
  for (let sale = 0; sale < 50; sale++) {
    followers.notice();
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(5_000);
  // The first display causes one query, and five seconds of sales cause three queries.
  expect(figures).toHaveBeenCalledTimes(4);
  expect(other).toHaveBeenCalledTimes(1);

  followers.notice();
  followers.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(figures).toHaveBeenCalledTimes(4);
  stopFigures();
  stopOther();
});
