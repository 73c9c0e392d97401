import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CustomerSide } from "../features/counter/customer-side.ts";
import { useSideInTime } from "./use-side-in-time.ts";

const NOW = Date.UTC(2026, 0, 15, 9, 30);
const paid: CustomerSide = { phase: "PAID", lines: [], total: 100, idleAt: NOW + 30_000 };

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

it("is idle half a minute after the sale, and stays so when the till shows it again", () => {
  const { result, rerender } = renderHook((side: CustomerSide) => useSideInTime(side), {
    initialProps: paid,
  });
  act(() => vi.advanceTimersByTime(29_999));
  expect(result.current.phase).toBe("PAID");
  act(() => vi.advanceTimersByTime(1));
  expect(result.current.phase).toBe("IDLE");
  // Its lines are told once more, as when what became of them is known at last.
  rerender({ ...paid, total: 101 });
  expect(result.current).toMatchObject({ phase: "IDLE", total: 0 });
  rerender({ phase: "CONFIRM", lines: [], total: 5 });
  expect(result.current.phase).toBe("CONFIRM");
  act(() => vi.advanceTimersByTime(600_000));
  expect(result.current.phase).toBe("CONFIRM");
});
