import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";

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
const TEST = { accountId: "default", environment: "test" } as const;

function post(transactionId: string) {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  return till.v1("POST", "/topups/purchases", body);
}

describe("one transaction id sent 200 times at once", () => {
  it("causes one accepted purchase with one hold, and 199 refusals", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => post("same")));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.map(({ body }) => body)).toEqual([
      { status: "ACCEPTED", transactionId: "same" },
    ]);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(199);
    expect(new Set(refused.map(({ body }) => body.errorCode))).toEqual(
      new Set(["DUPLICATE_TRANSACTION_ID"]),
    );
    await till.advance(SECOND);
    const postings = await till.gateway.context.db
      .selectFrom("ledger_postings")
      .select("kind")
      .where("transaction_id", "=", "same")
      .orderBy("posting_id")
      .execute();
    expect(postings.map(({ kind }) => kind)).toEqual(["HOLD", "CAPTURE"]);
    expect((await till.v1("GET", "/balance")).body.availableBalance).toBe(100_000 - COST);
    const { body } = await till.v1("GET", "/topups/purchases?_limit=10&_offset=0");
    expect(body.total).toBe(1);
  });
});

describe("a repeated transaction id", () => {
  it("causes a refusal that states whether the purchase is the same", async () => {
    await post("same");
    await till.advance(SECOND);
    const { status, body } = await post("same");
    expect(status).toBe(400);
    expect(body).toEqual({
      errorCode: "DUPLICATE_TRANSACTION_ID",
      message: "The same purchase has the transaction id same already, and is DONE.",
      fields: { transactionId: "has been used already in this environment" },
    });
    const other = { offerId: OFFER, transactionId: "same", recipientPhoneNumber: "+50251234568" };
    const answer = await till.v1("POST", "/topups/purchases", other);
    expect(answer.body.message).toBe("Another transaction has the id same already.");
  });

  it("causes a DUPLICATE_TRANSACTION_ID error, even after the offer was hidden", async () => {
    await post("same");
    await till.advance(SECOND);
    const owner = await openTill(till);
    const hidden = { target: { offerId: OFFER }, enabled: false };
    expect((await owner.pos("POST", "/catalog/test/switches", hidden)).status).toBe(200);
    expect((await post("new")).body.errorCode).toBe("OFFER_DISABLED");

    const repeated = await post("same");
    expect([repeated.status, repeated.body.errorCode, repeated.body.message]).toEqual([
      400,
      "DUPLICATE_TRANSACTION_ID",
      "The same purchase has the transaction id same already, and is DONE.",
    ]);
    for (const change of [
      { recipientPhoneNumber: "+50251234568" },
      { offerId: "NOBODY_KNOWS" },
      { value: { type: "PRICE", value: 500 } },
    ]) {
      const other = { offerId: OFFER, recipientPhoneNumber: "+50251234567", ...change };
      const body = { transactionId: "same", ...other };
      const answer = await till.v1("POST", "/topups/purchases", body);
      expect(answer.body).toMatchObject({
        errorCode: "DUPLICATE_TRANSACTION_ID",
        message: "Another transaction has the id same already.",
      });
    }
    const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "same" };
    const ofFamily = await till.v1("POST", "/esim/purchases", esim);
    expect(ofFamily.body.message).toBe("Another transaction has the id same already.");
  });
});

describe("50 purchases that race for a wallet that covers ten of them", () => {
  it("end with exactly ten deliveries, forty failures and no money left", async () => {
    await till.gateway.context.recharges.setTestWallet(TEST, 10 * COST + COST - 1);
    const ids = Array.from({ length: 50 }, (_, n) => `race-${n}`);
    const answers = await Promise.all(ids.map(post));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await till.settle();
    expect((await till.v1("GET", "/balance")).body.availableBalance).toBe(COST - 1);
    await till.advance(SECOND);
    const { body } = await till.v1("GET", "/topups/purchases?_limit=100&_offset=0");
    const outcomes = (body.list as { status: string; error?: { code: string } }[]).map(
      ({ status, error }) => error?.code ?? status,
    );
    expect(outcomes.filter((outcome) => outcome === "DONE")).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === "INSUFFICIENT_FUNDS")).toHaveLength(40);
    expect(await till.gateway.context.wallet.getBalances(TEST)).toMatchObject({
      available: COST - 1,
      held: 0,
    });
  });
});
