import { beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE, pause, SECOND } from "../lib/clock.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { ProviderLimited, ProviderRefusal, type ProviderRequest } from "./provider-call.ts";
import { ProviderLimits } from "./provider-limit.ts";

const RATE = { perSecond: 2, burst: 8 };
const CONNECTION = { baseUrl: "https://provider.test", key: "secret", allowPrivate: false };

let clock: FakeClock;
let limits: ProviderLimits;
let stop: AbortController;

beforeEach(() => {
  clock = new FakeClock();
  stop = new AbortController();
  limits = new ProviderLimits({ clock, stopping: stop.signal }, RATE);
});

/** Returns 0 if the request is admitted, or the time until the next try. */
function ask(priority: ProviderRequest["priority"], key = "secret"): number {
  try {
    limits.admit({ ...CONNECTION, key }, priority);
    return 0;
  } catch (error) {
    if (error instanceof ProviderLimited) return error.retryAfter_ms;
    throw error;
  }
}

function admitted(priority: ProviderRequest["priority"], tries = 20): number {
  let count = 0;
  while (count < tries && ask(priority) === 0) count += 1;
  return count;
}

describe("the token bucket of a provider", () => {
  it("admits a burst of purchases, and as many later as its rate permits", () => {
    expect(admitted("PURCHASE")).toBe(8);
    clock.set(clock.now() + 2 * SECOND);
    expect(admitted("PURCHASE")).toBe(4);
    clock.set(clock.now() + HOUR);
    expect(admitted("PURCHASE")).toBe(8);
  });

  it("gives each refused purchase a turn of its own", () => {
    admitted("PURCHASE", 8);
    const turns = [];
    for (let n = 0; n < 3; n++) turns.push(ask("PURCHASE"));
    expect(turns).toEqual([500, 1000, 1500]);
  });

  it("keeps tokens for purchases when inquiries have used up theirs", () => {
    expect(admitted("INQUIRY")).toBe(6);
    expect(ask("INQUIRY")).toBeGreaterThan(0);
    expect(admitted("PURCHASE")).toBe(2);
  });

  it("lets inquiries wait for the turns of refused purchases", () => {
    admitted("PURCHASE", 8);
    for (let n = 0; n < 10; n++) ask("PURCHASE");
    clock.set(clock.now() + 3 * SECOND);
    expect(ask("INQUIRY")).toBe(2 * SECOND);
  });

  it("keeps tokens for inquiries when a reading of the catalog has used up its own", () => {
    expect(admitted("CATALOG")).toBe(4);
    expect(admitted("INQUIRY")).toBe(2);
    expect(admitted("PURCHASE")).toBe(2);
  });

  it("counts each key for itself", () => {
    admitted("PURCHASE");
    expect(ask("PURCHASE", "another")).toBe(0);
  });
});

describe("a pause that a provider requests", () => {
  it("admits nothing until its end, and no burst after it", () => {
    limits.note(CONNECTION, 429, 30 * SECOND);
    expect(ask("INQUIRY")).toBeGreaterThan(30 * SECOND);
    clock.set(clock.now() + 30 * SECOND - 1);
    expect(ask("PURCHASE")).toBe(1);
    clock.set(clock.now() + 1);
    expect(admitted("PURCHASE")).toBe(1);
  });

  it("lasts as long after a shorter one is requested", () => {
    limits.note(CONNECTION, 429, MINUTE);
    limits.note(CONNECTION, 429, SECOND);
    expect(ask("PURCHASE")).toBe(MINUTE);
  });

  it.each([
    ["status 503", 503, MINUTE],
    ["status 429 without Retry-After", 429, undefined],
  ])("does not follow from %s", (_, status, retryAfter_ms) => {
    limits.note(CONNECTION, status, retryAfter_ms);
    expect(ask("PURCHASE")).toBe(0);
  });

  it("does not become longer when the clock is moved back", () => {
    limits = new ProviderLimits({ clock, stopping: stop.signal });
    limits.note(CONNECTION, 429, MINUTE);
    clock.set(clock.now() - HOUR);
    expect(ask("PURCHASE")).toBe(MINUTE);
    clock.set(clock.now() + MINUTE);
    expect(ask("PURCHASE")).toBe(0);
  });
});

describe("a reading of the catalog", () => {
  let asked: number;

  /** Advances the clock to its next timer until the reading ends. */
  async function read(ask: () => void): Promise<string> {
    asked = 0;
    let outcome: string | undefined;
    limits
      .readPatiently(async () => {
        asked += 1;
        limits.admit(CONNECTION, "CATALOG");
        ask();
      })
      .then(
        () => (outcome = "read"),
        (error: Error) => (outcome = error.message),
      );
    while (outcome === undefined) {
      await pause();
      const next = clock.nextTimer();
      if (next !== undefined) clock.set(next);
    }
    return outcome;
  }

  it("waits for its turn", async () => {
    admitted("PURCHASE", 8);
    const since = clock.now();
    expect(await read(() => {})).toBe("read");
    expect([asked, clock.now() - since]).toEqual([2, 2250]);
  });

  it("waits for the end of a short pause", async () => {
    limits.note(CONNECTION, 429, 20 * SECOND);
    expect(await read(() => {})).toBe("read");
  });

  it("ends during a long pause", async () => {
    limits.note(CONNECTION, 429, MINUTE);
    expect(await read(() => {})).toBe("It takes no more requests for now.");
    expect(asked).toBe(1);
  });

  it("ends when the program stops", async () => {
    limits.note(CONNECTION, 429, 20 * SECOND);
    const reading = limits.readPatiently(async () => limits.admit(CONNECTION, "CATALOG"));
    stop.abort();
    await expect(reading).rejects.toThrow("It takes no more requests for now.");
  });

  it("ends after five refusals because the provider is busy", async () => {
    const busy = () => {
      throw new ProviderRefusal({ errorCode: "RATE_LIMITED", message: "Later." });
    };
    expect(await read(busy)).toBe("Later.");
    expect(asked).toBe(5);
  });
});
