import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../lib/clock.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/** Checks limits that apply to all gateways on a database together. */
let gateways: [TestGateway, TestGateway];
beforeEach(async () => {
  const rateLimit = { burst: 40, perSecond: 10 };
  const first = await startTestGateway({ rateLimit });
  gateways = [first, await startGatewayBeside(first, { rateLimit })];
});
afterEach(async () => {
  const [first, second] = gateways;
  await second.close();
  await first.close();
});

async function ask(times: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, n) => gateways[n % 2]!.v1("GET", "/balance")),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
  return statuses.filter((status) => status === 200).length;
}

describe("a key's requests", () => {
  it("share one limit across all gateways", async () => {
    const [first, second] = gateways;
    expect(await ask(120)).toBe(40);
    first.clock.set(first.clock.now() + 2 * SECOND);
    expect(await ask(80)).toBe(20);
    const refused = await second.v1("GET", "/balance");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await second.v1("GET", "/balance", undefined, "live")).status).toBe(200);
    // The tokens that a gateway took from the shared bucket and did not use expire.
    first.clock.set(first.clock.now() + 60 * SECOND);
    expect((await first.v1("GET", "/balance")).status).toBe(200);
    first.clock.set(first.clock.now() + 60 * SECOND);
    expect(await ask(120)).toBe(40);
  });

  it("update the shared bucket once per four requests", async () => {
    const [first] = gateways;
    const { memory } = first.gateway.context;
    let changes = 0;
    const change = memory.change.bind(memory);
    memory.change = (...given) => {
      changes += 1;
      return change(...given);
    };
    for (let n = 0; n < 40; n++) await first.v1("GET", "/balance");
    expect(changes).toBe(10);
  });
});

it("two gateways together allow as many guesses of device codes as one gateway", async () => {
  const guesses = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      gateways[n % 2]!.gateway.context.devices.enrol("AAAAA-AAAAA", "192.168.1.9"),
    ),
  );
  const codes = guesses.map((guess) => guess.status === "rejected" && guess.reason.errorCode);
  expect(codes.filter((code) => code === "NOT_FOUND")).toHaveLength(10);
  expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(30);
});

it("two gateways together allow as many guesses of receipt links as one gateway", async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, n) => gateways[n % 2]!.call("GET", `/r/${"A".repeat(22)}`)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429 || status === 503)).toHaveLength(50);
});
