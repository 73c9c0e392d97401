import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../lib/api-client.ts";
import {
  type Attempt,
  confirmAttempt,
  isConfirmed,
  isPaidBy,
  listAttempts,
  listConfirmedAttempts,
  listUnsentAttempts,
  refusalOf,
  refuseAttempt,
  removeAttempt,
  saveAttempt,
} from "./attempt-store.ts";

const transactionId = "4b7f3a5e-0000-4000-8000-000000000002";
const basket = {
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
};
const head = {
  saleId: "4b7f3a5e-0000-4000-8000-000000000001",
  environment: "test" as const,
  staffId: "ana",
  openedAt: 1,
};
const attempt: Attempt = {
  ...head,
  lines: [{ transactionId, item: { productType: "TOPUP", ...basket } }],
  openLine: transactionId,
};
const sent = {
  transactionId,
  offerId: "TIGO_GT_TOPUP_50",
  recipientPhoneNumber: "+50251234567",
  price: 5200,
};

describe("attempt store", () => {
  it("stores an attempt only once, by its id", () => {
    saveAttempt(attempt);
    saveAttempt({ ...attempt, openedAt: 2 });
    expect(listAttempts()).toMatchObject([{ ...attempt, openedAt: 2 }]);
    removeAttempt(attempt.saleId);
    expect(listAttempts()).toEqual([]);
  });

  it("does not change the request after the clerk has taken the money", () => {
    const tenders = [{ kind: "CASH" as const, tendered: 10_000 }];
    const confirmed = confirmAttempt(attempt, { tenders }, 7);
    expect(isConfirmed(attempt)).toBe(false);
    expect(isConfirmed(confirmed)).toBe(true);
    expect(confirmed.input).toEqual({
      saleId: attempt.saleId,
      environment: attempt.environment,
      lines: [{ productType: "TOPUP", ...sent }],
      tenders,
    });
    saveAttempt(confirmed);
    expect(listAttempts()).toMatchObject([confirmed]);
  });

  it("reads the open and paid attempts of an earlier version, and preserves their ids", () => {
    const open = { ...head, transactionId, basket };
    const tender = { kind: "CASH", tendered: 10_000 };
    const paid = { ...open, confirmedAt: 7, input: { saleId: head.saleId, lines: [sent], tender } };
    localStorage.setItem("tillgate.attempts", JSON.stringify([open]));
    expect(listAttempts()).toEqual([attempt]);
    localStorage.setItem("tillgate.attempts", JSON.stringify([paid]));
    const { environment: _, ...input } = confirmAttempt(
      attempt,
      { tenders: [{ kind: "CASH", tendered: 10_000 }] },
      7,
    ).input;
    expect(listAttempts()).toEqual([{ ...attempt, confirmedAt: 7, input }]);
    saveAttempt(attempt);
    expect(listAttempts()).toMatchObject([attempt]);
    removeAttempt(attempt.saleId);
    expect(listAttempts()).toEqual([]);
  });

  it("ignores storage entries that are not attempts", () => {
    localStorage.setItem("tillgate.attempts", "{not json");
    expect(listAttempts()).toEqual([]);
    localStorage.setItem("tillgate.attempts", JSON.stringify([1, null, { saleId: "x" }, attempt]));
    expect(listAttempts()).toEqual([attempt]);
  });

  it("stores the refusal of a paid sale, and never sends the sale again", () => {
    const confirmed = confirmAttempt(attempt, { tenders: [{ kind: "CASH", tendered: 10_000 }] }, 7);
    saveAttempt(confirmed);
    expect(listUnsentAttempts()).toMatchObject([confirmed]);
    const error = new ApiError(409, "WALLET_SHORT", "short", { missing: "5" });
    refuseAttempt(confirmed, error);
    expect(listUnsentAttempts()).toEqual([]);
    const [kept] = listConfirmedAttempts();
    expect(kept).toMatchObject(confirmed);
    expect(kept && refusalOf(kept)).toMatchObject({
      status: 409,
      errorCode: "WALLET_SHORT",
      fields: { missing: "5" },
    });
    removeAttempt(attempt.saleId);
    expect(listConfirmedAttempts()).toEqual([]);
  });
});

describe("attempt store after the shop changed its environment", () => {
  const live = { staffId: "ana", environment: "live", training: false } as const;
  it.each([
    [
      "sends the sale in the other environment, where the gateway answers for it or refuses it",
      { training: false },
      live,
      true,
    ],
    [
      "does not send the sale for another person",
      { training: false },
      { ...live, staffId: "ben" },
      false,
    ],
    ["does not send the sale in training", { training: false }, { ...live, training: true }, false],
    ["does not send a training sale outside training", { training: true }, live, false],
    ["sends a sale of an earlier version only in its own environment", {}, live, false],
  ])("%s", (_name, mode, place, isSent) => {
    expect(isPaidBy(place, { staffId: "ana", environment: "test", ...mode })).toBe(isSent);
  });
});
