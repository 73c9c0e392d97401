import { afterEach, describe, expect, it } from "vitest";
import {
  type Attempt,
  confirmAttempt,
  isConfirmed,
  listAttempts,
  removeAttempt,
  saveAttempt,
} from "./attempt-store.ts";

const attempt: Attempt = {
  saleId: "4b7f3a5e-0000-4000-8000-000000000001",
  transactionId: "4b7f3a5e-0000-4000-8000-000000000002",
  environment: "test",
  staffId: "ana",
  openedAt: 1,
  basket: {
    number: "+50251234567",
    formatted: "+502 5123 4567",
    country: "GT",
    brand: "TIGO",
    brandName: "Tigo",
    brandColor: "#00377b",
    offerId: "TIGO_GT_TOPUP_50",
    title: "Tigo 50 GTQ",
    price: 5200,
    priceCurrency: "GTQ",
    priceCurrencyDivisor: 100,
    send: 5000,
    sendCurrency: "GTQ",
    sendCurrencyDivisor: 100,
  },
};

afterEach(() => localStorage.clear());

describe("attempt store", () => {
  it("keeps an attempt through a reload, under its id, once", () => {
    saveAttempt(attempt);
    saveAttempt({ ...attempt, openedAt: 2 });
    expect(listAttempts()).toEqual([{ ...attempt, openedAt: 2 }]);
    removeAttempt(attempt.saleId);
    expect(listAttempts()).toEqual([]);
  });

  it("fixes what will be sent when the clerk takes the money", () => {
    const confirmed = confirmAttempt(attempt, 10_000, 7);
    expect(isConfirmed(attempt)).toBe(false);
    expect(isConfirmed(confirmed)).toBe(true);
    expect(confirmed.input).toEqual({
      saleId: attempt.saleId,
      lines: [
        {
          transactionId: attempt.transactionId,
          productType: "TOPUP",
          offerId: "TIGO_GT_TOPUP_50",
          recipientPhoneNumber: "+50251234567",
          price: 5200,
        },
      ],
      tenders: [{ kind: "CASH", tendered: 10_000 }],
    });
    saveAttempt(confirmed);
    expect(listAttempts()).toEqual([confirmed]);
  });

  it("survives a store somebody else wrote into", () => {
    localStorage.setItem("tillgate.attempts", "{not json");
    expect(listAttempts()).toEqual([]);
    localStorage.setItem("tillgate.attempts", JSON.stringify([1, null, { saleId: "x" }, attempt]));
    expect(listAttempts()).toEqual([attempt]);
  });
});
