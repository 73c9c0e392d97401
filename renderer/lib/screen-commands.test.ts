import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { hasScreenCommand, runScreenCommand, useScreenCommand } from "./screen-commands.ts";

it("carries a command out as long as something on the screen does", () => {
  const print = vi.fn<() => void>();
  const { unmount } = renderHook(() => useScreenCommand("print", print));
  expect(hasScreenCommand("print")).toBe(true);
  runScreenCommand("print");
  unmount();
  expect(hasScreenCommand("print")).toBe(false);
  runScreenCommand("print");
  expect(print).toHaveBeenCalledTimes(1);
});

it("is the first one's of several, unless one goes before all", () => {
  const done: string[] = [];
  renderHook(() => useScreenCommand("name-number", () => done.push("one")));
  renderHook(() => useScreenCommand("name-number", () => done.push("two")));
  const { rerender } = renderHook(
    ({ isFirst }) => useScreenCommand("name-number", () => done.push("three"), { isFirst }),
    { initialProps: { isFirst: false } },
  );
  runScreenCommand("name-number");
  rerender({ isFirst: true });
  runScreenCommand("name-number");
  expect(done).toEqual(["one", "three"]);
});

it("is not carried out by one that has not the key, and always as it is now", () => {
  const done: number[] = [];
  const { rerender } = renderHook(
    ({ enabled, now }) => useScreenCommand("customer-refund", () => done.push(now), { enabled }),
    { initialProps: { enabled: false, now: 1 } },
  );
  runScreenCommand("customer-refund");
  rerender({ enabled: true, now: 2 });
  rerender({ enabled: true, now: 3 });
  runScreenCommand("customer-refund");
  expect(done).toEqual([3]);
});
