import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeLocks } from "./testing/fake-locks.ts";

const locks = new FakeLocks();

class ChannelStandIn {
  static readonly open = new Set<ChannelStandIn>();
  readonly name: string;
  onmessage: ((event: { readonly data: unknown }) => void) | undefined;

  constructor(name: string) {
    this.name = name;
    ChannelStandIn.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of ChannelStandIn.open) {
      if (other !== this && other.name === this.name) {
        queueMicrotask(() => other.onmessage?.({ data }));
      }
    }
  }

  close(): void {
    ChannelStandIn.open.delete(this);
  }
}

let loads = 0;

async function load() {
  loads += 1;
  const page: typeof import("./this-window.ts") = await import(
    /* @vite-ignore */ `./this-window.ts?load=${loads}`
  );
  await unhurried(page.settleWindow());
  return page;
}

async function unhurried<T>(asked: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  asked.then(settle, settle);
  while (!isSettled) {
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise(setImmediate);
    }
    vi.advanceTimersToNextTimer();
  }
  return asked;
}

async function inNewTab() {
  sessionStorage.clear();
  return load();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("BroadcastChannel", ChannelStandIn);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((limitMs) => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(), limitMs);
    return limit.signal;
  });
});

afterEach(() => {
  locks.letGo();
  ChannelStandIn.open.clear();
  vi.clearAllTimers();
});

describe.each(["locks", "a channel"])("windows that find each other by %s", (way) => {
  beforeEach(() => {
    if (way === "locks") {
      Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    }
  });

  it("have different ids, even in a duplicated tab", async () => {
    const first = await inNewTab();
    const copy = await load();
    const other = await inNewTab();
    expect(new Set([first, copy, other].map((page) => page.windowId())).size).toBe(3);
    expect(first.isOfThisWindow(copy.windowId())).toBe(false);
    expect(first.isOfThisWindow(undefined)).toBe(true);
  });

  it("take over the entries of a closed window, and of no open window", async () => {
    const first = await inNewTab();
    const second = await inNewTab();
    expect(await unhurried(second.takePlaceOf(first.windowId()))).toBe(false);
    expect(await unhurried(second.takePlaceOf("gone"))).toBe(true);
    expect(await unhurried(first.takePlaceOf("gone"))).toBe(false);
  });
});

describe("a reloaded window", () => {
  it("keeps its id, even if the previous page releases its lock late", async () => {
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    const before = await inNewTab();
    const loading = load();
    setTimeout(() => locks.letGo(), 20);
    expect((await loading).windowId()).toBe(before.windowId());
  });
});
