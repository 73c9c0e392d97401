import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Environment } from "../contract/common.ts";
import { SECOND } from "../lib/clock.ts";
import { giveLiveCatalog } from "../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/** A key of one environment never touches the other (spec §5). */
let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
  await giveLiveCatalog(till, [OFFER]);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const OFFER = "TIGO_GT_TOPUP_25";
const COST = 297;

async function observe(environment: Environment) {
  const page = "?_limit=1024&_offset=0";
  const lists = ["/topups/purchases", "/transactions", "/topups/offers"];
  const seen = [];
  for (const path of lists) {
    seen.push((await till.v1("GET", path + page, undefined, environment)).body);
  }
  return { seen, balance: (await till.v1("GET", "/balance", undefined, environment)).body };
}

function buy(environment: Environment, transactionId: string) {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  return till.v1("POST", "/topups/purchases", body, environment);
}

it("without a provider a live purchase is accepted and fails, and no money moves", async () => {
  expect((await buy("live", "unconnected")).body.status).toBe("ACCEPTED");
  await till.settle();
  const purchase = (await till.v1("GET", "/topups/purchases/unconnected", undefined, "live")).body;
  expect(purchase.error.code).toBe("PROVIDER_NOT_CONFIGURED");
  expect(purchase.log.map((item: { status: string }) => item.status)).toEqual([
    "ACCEPTED",
    "FAILED",
  ]);
  expect((await till.v1("GET", "/balance", undefined, "live")).body.availableBalance).toBe(0);
});

it("whatever is bought with one key changes nothing that the other key can see", async () => {
  const used = { test: new Set<string>(), live: new Set(["unconnected"]) };
  const environment = fc.constantFrom<Environment>("test", "live");
  const id = fc.integer({ min: 0, max: 12 }).map((n) => `id-${n}`);
  const purchases = fc.array(fc.tuple(environment, id), { minLength: 1, maxLength: 4 });
  let delivered = 0;
  await fc.assert(
    fc.asyncProperty(purchases, async (steps) => {
      for (const [bought, transactionId] of steps) {
        const other = bought === "test" ? "live" : "test";
        const before = await observe(other);
        const fresh = !used[bought].has(transactionId);
        expect((await buy(bought, transactionId)).status).toBe(fresh ? 200 : 400);
        await till.advance(SECOND);
        used[bought].add(transactionId);
        if (fresh && bought === "test") delivered += 1;
        const path = `/topups/purchases/${transactionId}`;
        const there = await till.v1("GET", path, undefined, other);
        expect(there.status).toBe(used[other].has(transactionId) ? 200 : 404);
        expect(await observe(other)).toEqual(before);
      }
      const { availableBalance } = (await till.v1("GET", "/balance")).body;
      expect(availableBalance).toBe(100_000 - delivered * COST);
    }),
    { numRuns: 25 },
  );
  expect(delivered).toBeGreaterThan(0);
});
