import { describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { orAborted, TimeoutError, withDeadline, withTimeout } from "./with-timeout.ts";

/**
 * Returns a promise that never resolves. Rejects with an error of its own when the signal aborts.
 */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("I was stopped")), { once: true });
  });
}

describe("work with a timeout", () => {
  it("returns the result or error of the work, and leaves no timer", async () => {
    const clock = new FakeClock();
    expect(await withTimeout(clock, { timeout_ms: 1_000 }, async () => "done")).toBe("done");
    const failed = withTimeout(clock, { timeout_ms: 1_000 }, () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("throws a TimeoutError after the timeout, even if the work ignores its signal", async () => {
    const clock = new FakeClock();
    const waiting = withTimeout(clock, { timeout_ms: 2_000 }, endless);
    clock.set(clock.now() + 2_000);
    await expect(waiting).rejects.toEqual(new TimeoutError(2_000));
  });

  it("throws the caller's error instead of a TimeoutError if there is one", async () => {
    const clock = new FakeClock();
    const late = new RangeError("the printer is off");
    const waiting = withTimeout(clock, { timeout_ms: 2_000, late }, () => new Promise(() => {}));
    clock.set(clock.now() + 2_000);
    await expect(waiting).rejects.toBe(late);
  });
});

describe("work of several steps with one deadline", () => {
  it("returns the results of earlier steps even if a later step is aborted", async () => {
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

  it("ends when its caller aborts, and starts no further step", async () => {
    const clock = new FakeClock();
    const givenUp = new Error("The call was aborted.");
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
