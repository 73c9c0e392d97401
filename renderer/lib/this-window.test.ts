import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeLocks } from "./testing/fake-locks.ts";

const locks = new FakeLocks();

/** The page as it is loaded: its memory is gone, the storage of its tab is not. */
async function load() {
  vi.resetModules();
  const page = await import("./this-window.ts");
  await unhurried(page.settleWindow());
  return page;
}

/** The clock stands still for as long as something that was posted may be on its way. */
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

/** In the tab of a window that is there; its storage is copied when it is duplicated. */
async function inNewTab() {
  sessionStorage.clear();
  return load();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe.each(["locks", "a channel"])("windows that find each other by %s", (way) => {
  beforeEach(() => {
    if (way === "locks") {
      Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    }
  });

  afterEach(() => {
    locks.letGo();
    sessionStorage.clear();
    Reflect.deleteProperty(navigator, "locks");
  });

  it("have an id each, a duplicated tab too", async () => {
    const first = await inNewTab();
    const copy = await load();
    const other = await inNewTab();
    expect(new Set([first, copy, other].map((page) => page.windowId())).size).toBe(3);
    expect(first.isOfThisWindow(copy.windowId())).toBe(false);
    expect(first.isOfThisWindow(undefined)).toBe(true);
  });

  it("take the place of one that is gone, and of no other", async () => {
    const first = await inNewTab();
    const second = await inNewTab();
    expect(await unhurried(second.takePlaceOf(first.windowId()))).toBe(false);
    expect(await unhurried(second.takePlaceOf("gone"))).toBe(true);
    expect(await unhurried(first.takePlaceOf("gone"))).toBe(false);
  });
});

describe("a window that is reloaded", () => {
  afterEach(() => Reflect.deleteProperty(navigator, "locks"));

  it("keeps its id, also when the page before lets go a moment late", async () => {
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    const before = await inNewTab();
    const loading = load();
    setTimeout(() => locks.letGo(), 20);
    expect((await loading).windowId()).toBe(before.windowId());
  });
});
