import rateLimit from "@fastify/rate-limit";
import { Problem } from "../contract/problem.ts";
import { type App, principalOf } from "./app-types.ts";

/** Requests a key may make in any window: 100 a second sustained, 200 at once (decisions §11). */
export const RATE_LIMIT = { max: 200, timeWindowMs: 2_000 };

/** Limits each API key by itself, with `RateLimit` headers. */
export async function registerRateLimit(app: App, limit: typeof RATE_LIMIT): Promise<void> {
  await app.register(rateLimit, {
    max: limit.max,
    timeWindow: limit.timeWindowMs,
    hook: "preParsing",
    enableDraftSpec: true,
    keyGenerator: (request) => principalOf(request).keyId,
    errorResponseBuilder: () =>
      new Problem("RATE_LIMITED", "Too many requests with this key. Try again shortly."),
  });
}
