import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const OFFER = "TIGO_GT_TOPUP_25";
const COST = 297;

async function buy(transactionId: string, recipientPhoneNumber: string): Promise<void> {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber };
  const answer = await till.v1("POST", "/topups/purchases", body);
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
  await till.settle();
}

/**
 * Expects a refusal because the clock is behind. Wakes the job runner, which otherwise checks the
 * clock every half minute.
 */
async function refuseByClock(): Promise<void> {
  const body = { offerId: OFFER, transactionId: "behind", recipientPhoneNumber: "+50251234567" };
  const { status } = await till.v1("POST", "/topups/purchases", body);
  expect(status).toBe(503);
  till.gateway.context.jobs.wake();
  await till.settle();
}

async function get(transactionId: string) {
  return (await till.v1("GET", `/topups/purchases/${transactionId}`)).body;
}

async function balance(): Promise<number> {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}

function messages(purchase: { log: { status: string; statusMessage: string }[] }): string[] {
  return purchase.log.map(({ status, statusMessage }) => `${status}: ${statusMessage}`);
}

const SUBMITTED = [
  "ACCEPTED: Transaction accepted",
  "AUTHORIZED: Wallet authorized",
  "IN_PROGRESS: Submitted for fulfillment",
];

describe("the documented outcomes of the test environment", () => {
  it("a top-up of an ordinary number is delivered in about a second, with a hold and a capture", async () => {
    await buy("usual", "+50251234567");
    expect((await get("usual")).status).toBe("IN_PROGRESS");
    expect(await balance()).toBe(100_000 - COST);
    await till.advance(SECOND);
    const purchase = await get("usual");
    expect(messages(purchase)).toEqual([...SUBMITTED, "DONE: Completed"]);
    expect(purchase.confirmation.confirmationNumber).toMatch(/^\d{15}$/);
    expect(purchase.error).toBeUndefined();
    expect(await balance()).toBe(100_000 - COST);
  });

  it.each([
    ["9001", "RECIPIENT_INVALID", "The provider does not know this number."],
    ["9002", "PROVIDER_REJECTED", "The provider refused the purchase."],
  ])(
    "a number that ends in %s fails with %s, and the hold is released",
    async (digits, code, message) => {
      await buy("refused", `+5025123${digits}`);
      const purchase = await get("refused");
      expect(purchase.error).toMatchObject({ code, message });
      expect(messages(purchase)).toEqual([...SUBMITTED, `FAILED: ${message}`]);
      expect(await balance()).toBe(100_000);
    },
  );

  it("a top-up of a number that ends in 9003 is delivered after two recoverable errors", async () => {
    await buy("recovers", "+50251239003");
    await till.advance(30 * MINUTE + SECOND);
    const purchase = await get("recovers");
    expect(messages(purchase)).toEqual([
      ...SUBMITTED,
      "IN_PROGRESS: Attempt 1 failed: the provider is not available; next attempt at 2026-01-15T09:45:00.000Z",
      "IN_PROGRESS: Attempt 2 failed: the provider is not available; next attempt at 2026-01-15T10:00:00.000Z",
      "DONE: Completed",
    ]);
  });

  it("a top-up of a number that ends in 9004 fails after 96 attempts, every 15 minutes for 24 hours", async () => {
    await buy("never", "+50251239004");
    await till.advance(24 * HOUR - 1);
    expect((await get("never")).status).toBe("IN_PROGRESS");
    expect(await balance()).toBe(100_000 - COST);
    await till.advance(1);
    const purchase = await get("never");
    expect(purchase.error.code).toBe("RETRY_WINDOW_EXPIRED");
    expect(purchase.updatedAt).toBe("2026-01-16T09:30:00.000Z");
    const attempts = messages(purchase).filter((line) => line.includes("Attempt"));
    expect(attempts).toHaveLength(96);
    expect(purchase.log.slice(3, 99).map((item: { dateTime: string }) => item.dateTime)).toEqual(
      Array.from({ length: 96 }, (_, n) =>
        new Date(Date.UTC(2026, 0, 15, 9, 30) + n * 15 * MINUTE).toISOString(),
      ),
    );
    expect(await balance()).toBe(100_000);
    expect(await reconciliation("never")).toBe(0);
  });

  it("a top-up of a number that ends in 9005 is delivered without an answer and found by an inquiry", async () => {
    await buy("silent", "+50251239005");
    await till.advance(15 * MINUTE - 1);
    expect((await get("silent")).status).toBe("IN_PROGRESS");
    await till.advance(1);
    const purchase = await get("silent");
    expect(messages(purchase)).toEqual([
      ...SUBMITTED,
      "IN_PROGRESS: Attempt 1 failed: no answer for 15 minutes; next attempt at 2026-01-15T09:45:00.000Z",
      "DONE: Completed",
    ]);
    expect(await submissions("silent")).toBe(1);
  });

  it("a top-up of a number that ends in 9006 is sent for 24 hours and never reaches the provider", async () => {
    await buy("lost", "+50251239006");
    await till.advance(24 * HOUR);
    const purchase = await get("lost");
    expect(purchase.error.code).toBe("RETRY_WINDOW_EXPIRED");
    expect(await balance()).toBe(100_000);
    expect(await reconciliation("lost")).toBe(0);
  });

  it("a top-up of a number that ends in 9007 is delivered after 20 seconds", async () => {
    await buy("slow", "+50251239007");
    await till.advance(20 * SECOND - 1);
    expect((await get("slow")).status).toBe("IN_PROGRESS");
    await till.advance(1);
    expect((await get("slow")).status).toBe("DONE");
  });

  async function submissions(transactionId: string): Promise<number> {
    const row = await till.gateway.context.db
      .selectFrom("simulator_orders")
      .select("submissions")
      .where("transaction_id", "=", transactionId)
      .executeTakeFirst();
    return row?.submissions ?? 0;
  }
});

async function reconciliation(transactionId: string): Promise<number | undefined> {
  const row = await till.gateway.context.db
    .selectFrom("transactions")
    .select("needs_reconciliation")
    .where("transaction_id", "=", transactionId)
    .executeTakeFirst();
  return row?.needs_reconciliation;
}

describe("a wallet that is short", () => {
  it("fails the purchase without moving money, even if only one minor unit is missing", async () => {
    const scope = { accountId: "default", environment: "test" } as const;
    await till.gateway.context.recharges.setTestWallet(scope, COST - 1);
    await buy("short", "+50251234567");
    const purchase = await get("short");
    expect(purchase.status).toBe("FAILED");
    expect(purchase.error).toMatchObject({
      code: "INSUFFICIENT_FUNDS",
      message: "The wallet is short by 0.01 USD.",
    });
    expect(await balance()).toBe(COST - 1);
    await till.gateway.context.recharges.setTestWallet(scope, COST);
    await buy("enough", "+50251234567");
    expect(await balance()).toBe(0);
  });
});

describe("a queue that is switched off", () => {
  it("lets a recoverable error fail the purchase at once", async () => {
    const scope = { accountId: "default", environment: "test" } as const;
    await till.gateway.context.settings.change(scope, { test: { queueEnabled: false } });
    await buy("no-queue", "+50251239004");
    expect((await get("no-queue")).error.code).toBe("PROVIDER_UNAVAILABLE");
    expect(await balance()).toBe(100_000);
  });
});

describe("a restart", () => {
  it("resumes a purchase that waited for a confirmation", async () => {
    await buy("resumed", "+50251239007");
    await till.restart();
    await till.advance(20 * SECOND);
    expect((await get("resumed")).status).toBe("DONE");
  });

  it("causes an immediate inquiry about a purchase that got no answer", async () => {
    await buy("asked", "+50251239005");
    await till.restart();
    await till.settle();
    const purchase = await get("asked");
    expect(messages(purchase)).toEqual([...SUBMITTED, "DONE: Completed"]);
  });

  it("immediately sends a purchase that the provider never received", async () => {
    await buy("again", "+50251239006");
    await till.restart();
    await till.settle();
    expect((await get("again")).status).toBe("IN_PROGRESS");
    await till.advance(24 * HOUR);
    expect((await get("again")).error.code).toBe("RETRY_WINDOW_EXPIRED");
  });

  it("keeps the interval between the attempts", async () => {
    await buy("paced", "+50251239004");
    await till.advance(20 * MINUTE);
    await till.restart();
    await till.advance(10 * MINUTE);
    const attempts = messages(await get("paced")).filter((line) => line.includes("Attempt"));
    expect(attempts).toHaveLength(3);
  });
});

describe("a machine's clock", () => {
  it("lets a purchase fail and its hold be released after a jump forward by days", async () => {
    await buy("forward", "+50251239004");
    till.clock.set(till.clock.now() + 72 * HOUR);
    await till.advance(MINUTE);
    expect((await get("forward")).error.code).toBe("RETRY_WINDOW_EXPIRED");
  });

  it("does not prevent a delivery after a jump back by an hour", async () => {
    await buy("back", "+50251239007");
    till.clock.set(till.clock.now() - HOUR);
    await till.advance(HOUR + 20 * SECOND);
    expect((await get("back")).status).toBe("DONE");
  });

  it("leaves the usual interval between attempts after a jump back by a day", {
    tags: ["thorough"],
  }, async () => {
    await buy("recovers", "+50251239003");
    await buy("never", "+50251239004");
    const moved = till.clock.now() - 24 * HOUR;
    till.clock.set(moved);
    await refuseByClock();
    await till.advance(2 * HOUR);
    expect((await get("recovers")).status).toBe("DONE");
    const tried = messages(await get("never")).filter((line) => line.includes("Attempt"));
    expect(tried.length).toBeGreaterThanOrEqual(7);
    expect(tried.length).toBeLessThanOrEqual(10);
    await till.advance(46 * HOUR);
    expect((await get("never")).error.code).toBe("RETRY_WINDOW_EXPIRED");
  });

  it("leaves no purchase unfinished for a year after a jump back by a year", {
    tags: ["thorough"],
  }, async () => {
    await buy("never", "+50251239004");
    till.clock.set(till.clock.now() - 365 * 24 * HOUR);
    await refuseByClock();
    await till.advance(26 * HOUR);
    expect((await get("never")).error.code).toBe("RETRY_WINDOW_EXPIRED");
    expect((await get("never")).log.length).toBeLessThan(105);
  });

  it("delays an attempt by at most one interval after a jump back while the gateway is off", async () => {
    await buy("recovers", "+50251239003");
    await till.gateway.close();
    till.clock.set(till.clock.now() - 24 * HOUR);
    await till.restart();
    await till.advance(HOUR);
    expect((await get("recovers")).status).toBe("DONE");
  });

  it("expires purchases once after a jump forward by a year, except a delivered purchase", async () => {
    await buy("silent", "+50251239005");
    await buy("never", "+50251239004");
    till.clock.set(till.clock.now() + 365 * 24 * HOUR);
    await till.advance(MINUTE);
    expect((await get("silent")).status).toBe("DONE");
    expect((await get("never")).error.code).toBe("RETRY_WINDOW_EXPIRED");
    expect((await get("never")).log.length).toBeLessThan(7);
  });
});
