import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

/**
 * What a sale costs the database, from its request to its end, counted: a durable commit is what a
 * slow disk makes dear, a statement is what a slow processor does (rules#purchase-cost).
 */
const statements: string[] = [];
let shop: TestGateway;

beforeAll(async () => {
  shop = await startTestGateway({
    onStatement: (sql) => statements.push(sql),
    rateLimit: { burst: 1_000, perSecond: 1_000 },
  });
  // The use of a key is noted once a minute, apart.
  await sell("first");
});
afterAll(() => shop.close());

const PURCHASE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

async function buy(transactionId: string): Promise<void> {
  const answer = await shop.v1("POST", "/topups/purchases", { ...PURCHASE, transactionId });
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
}

/** Buys in the same moment: how far apart requests arrive depends on the machine. */
async function buyAtOnce(ids: string[]): Promise<void> {
  const { purchases, accountId } = shop.gateway.context;
  const scope = { accountId, environment: "test" } as const;
  await Promise.all(
    ids.map((transactionId) => purchases.buy(scope, "TOPUP", { ...PURCHASE, transactionId })),
  );
}

/** Sells them at once, and lets them end. */
async function sell(...ids: string[]): Promise<{ statements: number; commits: number }> {
  await shop.settle();
  statements.length = 0;
  await (ids.length === 1 ? buy(ids[0] ?? "") : buyAtOnce(ids));
  await shop.settle();
  await shop.advance(2 * SECOND);
  const seen = [...statements];
  for (const id of ids) {
    expect((await shop.v1("GET", `/topups/purchases/${id}`)).body.status).toBe("DONE");
  }
  return {
    // The glance at what other processes have written comes with each second, too.
    statements: seen.filter((sql) => sql !== "pragma data_version").length,
    commits: seen.filter((sql) => /^commit/i.test(sql)).length,
  };
}

describe("a sale", () => {
  it("alone is in 5 commits and 50 statements at most", async () => {
    const { statements: count, commits } = await sell("alone");
    expect(commits).toBeLessThanOrEqual(5);
    expect(count).toBeLessThanOrEqual(50);
  });

  it("among 64 takes a fifth of a commit at most", async () => {
    const ids = Array.from({ length: 64 }, (_, n) => `crowd-${n}`);
    const { commits } = await sell(...ids);
    expect(commits / ids.length).toBeLessThanOrEqual(0.2);
  });
});
