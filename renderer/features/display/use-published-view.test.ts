import { renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DisplayView } from "../../../server/contract/pos/displays.ts";
import { usePublishedView } from "./use-published-view.ts";

const SECOND_MS = 1000;
const idle = { phase: "IDLE" } as DisplayView;
const selling = { phase: "CONFIRM" } as DisplayView;
let told: string[] = [];

function open(view: DisplayView) {
  return renderHook((now: DisplayView) => usePublishedView("K7QF29XM", now), {
    initialProps: view,
  });
}

beforeEach(() => {
  told = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    told.push((JSON.parse(init.body as string) as DisplayView).phase);
    return new Response(null, { status: 204 });
  });
});

describe("usePublishedView", () => {
  it("publishes the view on each change, and again if a gateway has lost the view", async () => {
    const { rerender } = open(idle);
    await vi.advanceTimersByTimeAsync(0);
    rerender(selling);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(["IDLE", "CONFIRM"]);
    await vi.advanceTimersByTimeAsync(25 * SECOND_MS);
    expect(told).toEqual(["IDLE", "CONFIRM", "CONFIRM"]);
  });

  it("publishes from the window whose view changes, and from an idle window if no other window does", async () => {
    const other = { windowId: "other", sentAt: Date.now() };
    localStorage.setItem("tillgate.display-sender", JSON.stringify(other));
    const { rerender, unmount } = open(idle);
    await vi.advanceTimersByTimeAsync(25 * SECOND_MS);
    expect(told).toEqual([]);
    rerender(selling);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(["CONFIRM"]);
    unmount();

    localStorage.setItem("tillgate.display-sender", JSON.stringify(other));
    open(idle);
    await vi.advanceTimersByTimeAsync(90 * SECOND_MS);
    expect(new Set(told.slice(1))).toEqual(new Set(["IDLE"]));
  });
});
