import { describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { orAborted, TimeoutError, withDeadline, withTimeout } from "./with-timeout.ts";

/** Work that never ends by itself, and rejects in its own words when its signal aborts. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("I was stopped")), { once: true });
  });
}

describe("work with a timeout", () => {
  it("is what came of it, and leaves no timer", async () => {
    const clock = new FakeClock();
    expect(await withTimeout(clock, { timeout_ms: 1_000 }, async () => "done")).toBe("done");
    const failed = withTimeout(clock, { timeout_ms: 1_000 }, () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("that takes too long is a TimeoutError, whatever the work makes of its signal", async () => {
    const clock = new FakeClock();
    const waiting = withTimeout(clock, { timeout_ms: 2_000 }, endless);
    clock.set(clock.now() + 2_000);
    await expect(waiting).rejects.toEqual(new TimeoutError(2_000));
  });

  it("ends with the caller's error where one is given", async () => {
    const clock = new FakeClock();
    const late = new RangeError("the printer is off");
    const waiting = withTimeout(clock, { timeout_ms: 2_000, late }, () => new Promise(() => {}));
    clock.set(clock.now() + 2_000);
    await expect(waiting).rejects.toBe(late);
  });
});

describe("work of several steps with one deadline", () => {
  it("keeps what an earlier step brought when a later one is cut off", async () => {
    const clock = new FakeClock();
    const working = withDeadline(clock, { timeout_ms: 2_000 }, async (signal) => {
      const first = await orAborted(signal, async () => "the head");
      const rest = await orAborted(signal, () => endless(signal)).catch((error) => error.message);
      return [first, rest];
    });
    await Promise.resolve();
    clock.set(clock.now() + 2_000);
    expect(await working).toEqual(["the head", "no answer within 2 s"]);
  });

  it("ends when its caller gives up, and begins nothing when that was before", async () => {
    const clock = new FakeClock();
    const givenUp = new Error("It was given up.");
    const caller = new AbortController();
    const { signal } = caller;
    let begun = 0;
    const work = (own: AbortSignal) =>
      orAborted(own, () => {
        begun += 1;
        return endless(own);
      });
    const working = withDeadline(clock, { timeout_ms: 2_000, signal, givenUp }, work);
    caller.abort();
    await expect(working).rejects.toBe(givenUp);
    await expect(withDeadline(clock, { timeout_ms: 2_000, signal, givenUp }, work)).rejects.toBe(
      givenUp,
    );
    expect(begun).toBe(1);
    expect(clock.nextTimer()).toBeUndefined();
  });
});
