import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { makeAccounts } from "../../../testing/many-accounts.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

/** Statements of the measured sales (rules#purchase-round-trips). */
const statements: { text: string; isFirst: boolean }[] = [];
const OFFER = "TIGO_GT_TOPUP_25";
const PURCHASE = { offerId: OFFER, recipientPhoneNumber: "+50251234567" };
const ACCOUNTS = 8;

let shop: TestGateway;
beforeAll(async () => {
  shop = await startTestGateway({
    onStatement: (text, isFirst = true) => statements.push({ text, isFirst }),
  });
  await makeAccounts(shop.gateway, ACCOUNTS, OFFER);
  // A connection prepares a statement at its second run.
  for (const name of ["first", "second"]) await sell(64, name, ACCOUNTS);
});
afterAll(async () => {
  await shop.expectCleanBooks();
  await shop.close();
});

interface Cost {
  roundTrips: number;
  statements: number;
  commits: number;
  notices: number;
}

/** Buys without requests, which would read the API key. Returns the cost of one sale. */
async function sell(count: number, name: string, accounts = 1): Promise<Cost> {
  const { purchases, db } = shop.gateway.context;
  const scopeOf = (number: number) => {
    const account = number % accounts;
    const accountId = account === 0 ? "default" : `shop-${account}`;
    return { accountId, environment: "test" } as const;
  };
  const ids = Array.from({ length: count }, (_, number) => `${name}-${number}`);
  await shop.settle();
  statements.length = 0;
  await Promise.all(
    ids.map((transactionId, number) =>
      purchases.buy(scopeOf(number), "TOPUP", { ...PURCHASE, transactionId }),
    ),
  );
  await shop.advance(2 * SECOND);
  const seen = [...statements];
  const done = await db
    .selectFrom("transactions")
    .select("transaction_id")
    .where("transaction_id", "in", ids)
    .where("status", "=", "DONE")
    .execute();
  expect(done).toHaveLength(count);
  const countOf = (isCounted: (one: (typeof seen)[number]) => boolean) =>
    seen.filter(isCounted).length / count;
  return {
    roundTrips: countOf(({ isFirst }) => isFirst),
    statements: countOf(() => true),
    commits: countOf(({ text }) => text === "commit"),
    notices: countOf(({ text }) => text.includes("pg_notify")),
  };
}

function expectAtMost(cost: Cost, most: Cost): void {
  for (const [name, limit] of Object.entries(most)) {
    expect(cost[name as keyof Cost], `${name} of ${JSON.stringify(cost)}`).toBeLessThanOrEqual(
      limit,
    );
  }
}

describe("a sale on PostgreSQL", () => {
  it("takes at most 30 round trips, 7 commits and 5 notices if no other sale runs", async () => {
    const cost = await sell(1, "alone");
    expectAtMost(cost, { roundTrips: 30, statements: 66, commits: 7, notices: 5 });
  });

  it("takes at most 6 round trips and a fifth of a commit among 64 sales of an account", async () => {
    const cost = await sell(64, "crowd");
    expectAtMost(cost, { roundTrips: 6, statements: 25, commits: 0.2, notices: 0.15 });
  });

  it("takes at most 10 round trips and 2 commits among 64 sales of 8 accounts", async () => {
    const cost = await sell(64, "spread", ACCOUNTS);
    expectAtMost(cost, { roundTrips: 10, statements: 32, commits: 2, notices: 2 });
  });
});
