import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type FetchChild, superviseFetch, type Ticker } from "./runtime.ts";

const IDLE_TIMEOUT_MS = 20_000;

/** A clock that the test advances. Advancing it runs the watcher's tick. */
class HandClock implements Ticker {
  private time = 0;
  private tick: (() => void) | undefined;
  private intervalMs = 0;

  now(): number {
    return this.time;
  }

  every(intervalMs: number, tick: () => void): () => void {
    this.intervalMs = intervalMs;
    this.tick = tick;
    return () => {
      this.tick = undefined;
    };
  }

  get isWatched(): boolean {
    return this.tick !== undefined;
  }

  pass(ms: number): void {
    for (const end = this.time + ms; this.time < end; ) {
      this.time += this.intervalMs || ms;
      this.tick?.();
    }
  }
}

class ChildStandIn extends EventEmitter implements FetchChild {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly signals: string[] = [];

  kill(signal: NodeJS.Signals): void {
    this.signals.push(signal);
  }
}

function fetchUnderWatch() {
  const clock = new HandClock();
  const child = new ChildStandIn();
  const megabytes: number[] = [];
  const disk = { bytes: 0 };
  const outcome = superviseFetch({
    startChild: () => child,
    measure: () => disk.bytes,
    ticker: clock,
    showMegabytes: (amount) => megabytes.push(amount),
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  });
  return { clock, child, disk, megabytes, outcome };
}

test("a fetch without output is aborted, and its child process is ended", async () => {
  const { clock, child, outcome } = fetchUnderWatch();
  clock.pass(IDLE_TIMEOUT_MS - 500);
  expect(child.signals).toEqual([]);
  clock.pass(500);

  expect(child.signals).toEqual(["SIGKILL"]);
  expect(await outcome).toBe("silent");
  expect(clock.isWatched).toBe(false);
});

test("output and growing files both count as progress", async () => {
  const { clock, child, disk, megabytes, outcome } = fetchUnderWatch();
  clock.pass(IDLE_TIMEOUT_MS - 500);
  disk.bytes = 40_000_000;
  clock.pass(IDLE_TIMEOUT_MS - 500);
  child.stdout.emit("data", Buffer.from("Downloading"));
  clock.pass(IDLE_TIMEOUT_MS - 500);
  child.stderr.emit("data", Buffer.from("still at it"));
  clock.pass(IDLE_TIMEOUT_MS - 500);

  expect(child.signals).toEqual([]);
  expect(megabytes).toEqual([40]);
  child.emit("close", 0);
  expect(await outcome).toBe("fetched");
  expect(clock.isWatched).toBe(false);
});

test("an installer that fails or cannot run causes a failure, not an exception", async () => {
  const failing = fetchUnderWatch();
  failing.child.emit("close", 1);
  expect(await failing.outcome).toBe("failed");

  const missing = fetchUnderWatch();
  missing.child.emit("error", new Error("ENOENT"));
  expect(await missing.outcome).toBe("failed");
});
