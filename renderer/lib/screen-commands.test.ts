import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { hasScreenCommand, runScreenCommand, useScreenCommand } from "./screen-commands.ts";

it("a command runs while a component on the screen handles it", () => {
  const print = vi.fn<() => void>();
  const { unmount } = renderHook(() => useScreenCommand("print", print));
  expect(hasScreenCommand("print")).toBe(true);
  runScreenCommand("print");
  unmount();
  expect(hasScreenCommand("print")).toBe(false);
  runScreenCommand("print");
  expect(print).toHaveBeenCalledTimes(1);
});

it("the first of several components runs a command, unless another component has precedence", () => {
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

it("a disabled component does not run a command, and the latest handler is used", () => {
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
