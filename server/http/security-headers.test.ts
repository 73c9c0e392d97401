import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
});
afterAll(() => till.close());

it.each<[string, RegExp]>([
  ["/v1/topups/offers?_limit=1&_offset=0", /^default-src 'none'; frame-ancestors 'none'$/],
  ["/v1/balance", /^default-src 'none'; frame-ancestors 'none'$/],
  ["/v1/openapi.json", /^default-src 'none'; frame-ancestors 'none'$/],
  ["/v1/nothing", /frame-ancestors 'none'/],
  ["/pos/status", /^default-src 'self';.*frame-ancestors 'none'/],
  ["/docs/", /^default-src 'none';.*frame-ancestors 'none'/],
  ["/docs/api", /^default-src 'self';.*frame-ancestors 'none'/],
  ["/healthz", /^default-src 'self';.*frame-ancestors 'none'/],
])("%s has headers against type guessing and foreign use", async (path, policy) => {
  const keyed = { authorization: `Bearer ${till.key("test")}` };
  for (const headers of [keyed, {}]) {
    const answer = await till.call("GET", path, { headers });
    expect(answer.headers.get("content-security-policy")).toMatch(policy);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(answer.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  }
});
