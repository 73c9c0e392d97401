import { afterEach, expect, it } from "vitest";
import { SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { RATE_LIMIT } from "./rate-limit.ts";

let till: TestGateway | undefined;
afterEach(() => till?.close());

async function ask(gateway: TestGateway, times: number): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: times }, () => gateway.v1("GET", "/balance")),
  );
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}

it("a key may make 200 requests at once, and 100 requests per second", async () => {
  till = await startTestGateway({ rateLimit: RATE_LIMIT });
  const atOnce = await ask(till, 230);
  expect(atOnce.filter((status) => status === 200)).toHaveLength(200);
  expect(atOnce.filter((status) => status === 429)).toHaveLength(30);
  await till.advance(SECOND);
  const later = await ask(till, 130);
  expect(later.filter((status) => status === 200)).toHaveLength(100);
  await till.advance(10 * SECOND);
  const rested = await ask(till, 230);
  expect(rested.filter((status) => status === 200)).toHaveLength(200);
});

it("a key over its limit gets Retry-After, and other keys are unaffected", async () => {
  till = await startTestGateway({ rateLimit: { burst: 5, perSecond: 0.5 } });
  for (let left = 4; left >= 0; left--) {
    const answer = await till.v1("GET", "/balance");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-limit")).toBe("5");
    expect(answer.headers.get("ratelimit-remaining")).toBe(String(left));
    expect(answer.headers.get("ratelimit-reset")).toBe(String((5 - left) * 2));
  }
  const refused = await till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId: "too-many",
    recipientPhoneNumber: "+50251234567",
  });
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({
    errorCode: "RATE_LIMITED",
    message: expect.any(String),
    fields: {},
  });
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect((await till.v1("GET", "/balance", undefined, "live")).status).toBe(200);
  const { transactions } = till.gateway.context;
  const scope = { accountId: "default", environment: "test" } as const;
  await expect(transactions.get(scope, "too-many")).rejects.toMatchObject({ status: 404 });
  await till.advance(2 * SECOND);
  expect((await till.v1("GET", "/balance")).status).toBe(200);
});

it("a key's bucket does not change when the clock is set back", async () => {
  till = await startTestGateway({ rateLimit: { burst: 2, perSecond: 1 } });
  expect(await ask(till, 1)).toEqual([200]);
  till.clock.set(till.clock.now() - 60 * SECOND);
  expect(await ask(till, 2)).toEqual([200, 429]);
});
