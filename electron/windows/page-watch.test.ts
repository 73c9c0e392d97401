import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recoverPage } from "./page-watch.ts";

const URL = "http://127.0.0.1:8787";

class ContentsStandIn extends EventEmitter {
  forcefullyCrashRenderer(): void {
    this.emit("render-process-gone", {}, { reason: "killed", exitCode: 1 });
  }
}

class WindowStandIn extends EventEmitter {
  readonly webContents = new ContentsStandIn();
  readonly loaded: string[] = [];
  isGone = false;
  isDestroyed = () => this.isGone;
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }
}

let window: WindowStandIn;
beforeEach(() => {
  vi.useFakeTimers();
  window = new WindowStandIn();
  recoverPage(window as never, { url: URL, log: { error: () => {} } });
});
afterEach(() => vi.useRealTimers());

function crash(reason: string): void {
  window.webContents.emit("render-process-gone", {}, { reason, exitCode: 5 });
}

describe("a page in the till's window", () => {
  it("reloads at once after a crash, and after a pause if it crashes again", () => {
    crash("crashed");
    vi.advanceTimersByTime(0);
    expect(window.loaded).toEqual([URL]);
    crash("oom");
    vi.advanceTimersByTime(4_999);
    expect(window.loaded).toEqual([URL]);
    vi.advanceTimersByTime(1);
    expect(window.loaded).toEqual([URL, URL]);
  });

  it("reloads if it hangs, unless it reacts in time", () => {
    window.emit("unresponsive");
    vi.advanceTimersByTime(29_999);
    window.emit("responsive");
    vi.advanceTimersByTime(60_000);
    expect(window.loaded).toEqual([]);
    window.emit("unresponsive");
    vi.advanceTimersByTime(30_000);
    vi.advanceTimersByTime(1);
    expect(window.loaded).toEqual([URL]);
  });

  it("does not reload after its window was closed", () => {
    crash("clean-exit");
    window.isGone = true;
    crash("crashed");
    vi.advanceTimersByTime(60_000);
    expect(window.loaded).toEqual([]);
  });
});
