import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { AcceptedNote } from "./accepted-purchases.ts";
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
      for (const note of notes) if (note instanceof AcceptedNote) accepted.push(note.purchase);
    });
    await sellSamples(shop);
    const families = new Set(accepted.map(({ offer }) => offer.productType));
    expect([...families].toSorted()).toEqual(["BILL_PAY", "ESIM", "TOPUP", "VOUCHER"]);
    for (const purchase of accepted) {
      const stored = await findPurchase(db, purchase.transaction);
      expect(stored && fixedPart(stored)).toEqual(fixedPart(purchase));
      expect(purchase).toMatchObject({ attempts: 0, attemptState: "NONE", doubt: "NONE" });
    }
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
