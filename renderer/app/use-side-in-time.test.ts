import { act, renderHook } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { CustomerSide } from "../features/counter/sale/shown/customer-side.ts";
import { IDLE_SIDE, inTime, useEndInTime } from "./customer-display.tsx";

const NOW = Date.UTC(2026, 0, 15, 9, 30);
const paid: CustomerSide = { phase: "PAID", lines: [], total: 100, idleAt: NOW + 30_000 };

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
function useSide() {
  const [side, setSide] = useState(IDLE_SIDE);
  useEndInTime(side, setSide);
  return [side, (told: CustomerSide) => setSide(inTime(told))] as const;
}

it("the customer display is idle half a minute after the sale, even if the till publishes the sale again", () => {
  const { result } = renderHook(useSide);
  const shown = () => result.current[0];
  const show = (side: CustomerSide) => act(() => result.current[1](side));
  const wait = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  show(paid);
  wait(29_999);
  expect(shown().phase).toBe("PAID");
  wait(1);
  expect(shown().phase).toBe("IDLE");
  // Publishes the lines again, as after a change of their outcome.
  show({ ...paid, total: 101 });
  expect(shown()).toMatchObject({ phase: "IDLE", total: 0 });
  show({ phase: "CONFIRM", lines: [], total: 5 });
  wait(600_000);
  expect(shown().phase).toBe("CONFIRM");
});
