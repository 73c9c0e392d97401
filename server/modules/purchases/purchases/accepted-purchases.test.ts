import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { AcceptedNote } from "./accepted-purchases.ts";
import { StartedNote } from "./commit-decision.ts";
import { findPurchase, type StoredPurchase } from "./purchase-store.ts";

let shop: TestGateway;
const statements: string[] = [];
beforeEach(async () => {
  shop = await startTestGateway({ onStatement: (text) => statements.push(text) });
});
afterEach(() => shop.close());

function fixedPart({ transaction, offer, recipient, value, extras, quote }: StoredPurchase) {
  const { accountId, environment, transactionId, type, productType } = transaction;
  const { amount, currency, currencyDivisor, createdAt, training } = transaction;
  const money = { amount, currency, currencyDivisor };
  const ref = { accountId, environment, transactionId, type, productType, createdAt, training };
  return { ...ref, ...money, offer, recipient, value, extras, quote };
}

describe("a purchase that was just accepted", () => {
  it("reaches the engine with the same content as in the database, for every family", async () => {
    const { db, transactor } = shop.gateway.context;
    const accepted: StoredPurchase[] = [];
    transactor.onCommit((_written, notes) => {
      for (const note of notes) {
        const isNew = note instanceof AcceptedNote || note instanceof StartedNote;
        if (isNew) accepted.push(note.purchase);
      }
    });
    await sellSamples(shop);
    const families = new Set(accepted.map(({ offer }) => offer.productType));
    expect([...families].toSorted()).toEqual(["BILL_PAY", "ESIM", "TOPUP", "VOUCHER"]);
    for (const purchase of accepted) {
      const stored = await findPurchase(db, purchase.transaction);
      expect(stored && fixedPart(stored)).toEqual(fixedPart(purchase));
      const { attempts, attemptState, doubt } = purchase;
      const isSent = attempts === 1 && attemptState === "SENT";
      expect([isSent || (attempts === 0 && attemptState === "NONE"), doubt]).toEqual([
        true,
        "NONE",
      ]);
    }
  });

  it("stores its hold and its first attempt", async () => {
    const { db, accountId } = shop.gateway.context;
    const order = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const before = (await shop.v1("GET", "/balance")).body;
    await shop.v1("POST", "/topups/purchases", { ...order, transactionId: "begun" });
    const ref = { accountId, environment: "test", transactionId: "begun" } as const;
    const stored = await findPurchase(db, ref);
    expect(stored).toMatchObject({ attempts: 1, transaction: { status: "IN_PROGRESS" } });
    const { log = [], createdAt } = stored?.transaction ?? {};
    expect(log.map(({ status, loggedAt }) => [status, loggedAt])).toEqual(
      ["ACCEPTED", "AUTHORIZED", "IN_PROGRESS"].map((status) => [status, createdAt]),
    );
    expect((await shop.v1("GET", "/balance")).body).not.toEqual(before);
  });

  it("needs no database read before its first step", async () => {
    await shop.settle();
    statements.length = 0;
    const body = {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "handed",
      recipientPhoneNumber: "+50251234567",
    };
    await shop.v1("POST", "/topups/purchases", body);
    await shop.settle();
    expect(statements.filter((text) => /^select .* inner join "purchases"/.test(text))).toEqual([]);
    await shop.advance(2 * SECOND);
    expect((await shop.v1("GET", "/topups/purchases/handed")).body.status).toBe("DONE");
  });
});
