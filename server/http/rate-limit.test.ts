import { afterEach, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { RATE_LIMIT } from "./rate-limit.ts";

let till: TestGateway | undefined;
afterEach(() => till?.close());

it("a key may make 200 requests at once and 100 a second", () => {
  expect(RATE_LIMIT).toEqual({ max: 200, timeWindowMs: 2_000 });
});

it("a key over its limit is told when to come again, and no other key suffers", async () => {
  // The window is long, so that a slow machine does not see the next one.
  till = await startTestGateway({ rateLimit: { max: 5, timeWindowMs: 3_600_000 } });
  for (let left = 4; left >= 0; left--) {
    const answer = await till.v1("GET", "/balance");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-limit")).toBe("5");
    expect(answer.headers.get("ratelimit-remaining")).toBe(String(left));
    expect(answer.headers.get("ratelimit-reset")).toMatch(/^\d+$/);
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
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect((await till.v1("GET", "/balance", undefined, "live")).status).toBe(200);
  const { transactions } = till.gateway.context;
  const scope = { accountId: "default", environment: "test" } as const;
  await expect(transactions.get(scope, "too-many")).rejects.toMatchObject({ status: 404 });
});
