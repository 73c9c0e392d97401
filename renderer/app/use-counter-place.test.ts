import { act, renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  type Attempt,
  removeAttempt,
  saveAttempt,
} from "../features/counter/sale/attempt/attempt-store.ts";
import { useCounterPlace } from "./pages.tsx";

const TEST = { staffId: "ana", environment: "test", training: false } as const;
const LIVE = { ...TEST, environment: "live" } as const;
const basket = {
  saleId: "4b7f3a5e-0000-4000-8000-000000000001",
  ...TEST,
  openedAt: 0,
  lines: [{ transactionId: "t1" }],
} as unknown as Attempt;

type Shop = typeof TEST | typeof LIVE;

function counter() {
  const beginning: { shop: Shop } = { shop: TEST };
  return renderHook(({ shop }: { shop: Shop }) => useCounterPlace(shop), {
    initialProps: beginning,
  });
}

describe("the counter of a window", () => {
  it("switches to the shop's environment at once when the basket is empty", () => {
    const { result, rerender } = counter();
    rerender({ shop: LIVE });
    expect([result.current.environment, result.current.left]).toEqual(["live", undefined]);
  });

  it("keeps the environment of a started sale, and switches when the basket is empty", () => {
    saveAttempt(basket);
    const { result, rerender } = counter();
    expect(result.current.left).toBeUndefined();
    rerender({ shop: LIVE });
    expect(result.current.left?.saleId).toBe(basket.saleId);
    removeAttempt(basket.saleId);
    act(() => result.current.onLeftEmpty());
    expect([result.current.environment, result.current.left]).toEqual(["live", undefined]);
  });

  it("resumes the started sale when the shop returns to that sale's environment", () => {
    saveAttempt(basket);
    const { result, rerender } = counter();
    rerender({ shop: LIVE });
    rerender({ shop: TEST });
    expect([result.current.environment, result.current.left]).toEqual(["test", undefined]);
  });

  it("keeps its environment during a payment until the gateway accepts or rejects the payment", () => {
    saveAttempt(basket);
    const { result, rerender } = counter();
    act(() => result.current.onPaying(true));
    rerender({ shop: LIVE });
    expect([result.current.environment, result.current.left]).toEqual(["test", undefined]);
    act(() => result.current.onPaying(false));
    expect(result.current.environment).toBe("live");
    expect(result.current.left?.saleId).toBe(basket.saleId);
  });
});
