import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PosOffer, PosPhone } from "../../../server/contract/pos/counter.ts";
import { confirmAttempt } from "./attempt-store.ts";
import type { SaleContext } from "./basket.ts";
import { counterReducer } from "./counter-machine.ts";
import {
  type CounterEvent,
  type CounterState,
  currentBrand,
  INITIAL_COUNTER,
} from "./counter-state.ts";

const tigo = { brand: "TIGO", brandName: "Tigo", brandColor: "#00377b" };
const claro = { brand: "CLARO", brandName: "Claro", brandColor: "#da291c" };

const earlier = {
  saleId: "s0",
  saleNumber: 1,
  outcome: "DELIVERED" as const,
  soldAt: "2026-01-15T09:30:00.000Z",
  recipientPhoneNumber: "+50251234567",
  recipientFormatted: "+502 5123 4567",
  country: "GT",
  offerId: "T50",
  ...tigo,
  title: "Tigo 50 GTQ",
  price: 5200,
  priceCurrency: "GTQ",
  priceCurrencyDivisor: 100,
};

const phone: PosPhone = {
  number: "+50251234567",
  formatted: "+502 5123 4567",
  valid: true,
  country: "GT",
  detected: { brand: "TIGO", brandName: "Tigo" },
  brands: [claro, tigo],
  earlier: [earlier],
};

const allowances = {
  dataGB: 0,
  dataUnlimited: false,
  durationDays: 0,
  smsNumber: 0,
  smsUnlimited: false,
  voiceMinutes: 0,
  voiceUnlimited: false,
};

const fixed: PosOffer = {
  productType: "TOPUP",
  brandColor: "#00377b",
  subTypes: ["Mobile Top Up"],
  offerId: "T50",
  brand: "TIGO",
  brandName: "Tigo",
  country: "GT",
  title: "Tigo 50 GTQ",
  notes: "",
  subType: "Mobile Top Up",
  priceType: "FIXED",
  price: { currency: "GTQ", currencyDivisor: 100, fixed: 5200, fee: 50 },
  send: { currency: "GTQ", currencyDivisor: 100, fixed: 5000 },
  ...allowances,
};

const range: PosOffer = {
  ...fixed,
  offerId: "TANY",
  priceType: "RANGE",
  price: { currency: "GTQ", currencyDivisor: 100, min: 520, max: 52_000, fee: 0 },
  send: { currency: "GTQ", currencyDivisor: 100, min: 500, max: 50_000 },
};

const quote = {
  offerId: "TANY",
  value: { type: "ZEND" as const, value: 7500 },
  price: 7800,
  priceFee: 0,
  priceCurrency: "GTQ",
  priceCurrencyDivisor: 100,
  send: 7500,
  sendCurrency: "GTQ",
  sendCurrencyDivisor: 100,
};

const context: SaleContext = {
  saleId: "sale-1",
  transactionId: "tx-1",
  environment: "test",
  staffId: "ana",
  openedAt: 1,
};

const digits = "50251234567";
const typed: CounterEvent = { type: "number-typed", digits };
const known: CounterEvent = { type: "phone-known", digits, phone };
const entered: CounterEvent = { type: "number-entered" };
const picked: CounterEvent = { type: "offer-picked", offer: fixed, context };

function run(...events: CounterEvent[]): CounterState {
  return events.reduce(counterReducer, INITIAL_COUNTER);
}

describe("counter machine", () => {
  it("goes from number to offers to confirm in the order of the keys", () => {
    const state = run(typed, known, entered, picked);
    expect(state.step).toBe("confirm");
    expect(state.attempt).toMatchObject({ saleId: "sale-1", transactionId: "tx-1" });
    expect(state.attempt?.basket).toMatchObject({ number: phone.number, price: 5250, send: 5000 });
  });

  it("goes on by itself when Enter came before the gateway knew the number", () => {
    expect(run(typed, entered)).toMatchObject({ step: "number", wantsOn: true });
    expect(run(typed, entered, known)).toMatchObject({ step: "offer", wantsOn: false });
  });

  it("takes no answer for other digits", () => {
    expect(run({ type: "number-typed", digits: "502" }, known).phone).toBeUndefined();
  });

  it("does not go on with an incomplete number", () => {
    const incomplete = { ...phone, valid: false };
    expect(run(typed, { type: "phone-known", digits, phone: incomplete }, entered).step).toBe(
      "number",
    );
  });

  it("asks for the carrier when none is known, and takes the clerk's over the detected one", () => {
    const { detected: _, ...unknown } = phone;
    expect(run(typed, { type: "phone-known", digits, phone: unknown }, entered).step).toBe(
      "carrier",
    );
    const chosen = run(
      typed,
      known,
      entered,
      { type: "carrier-opened" },
      {
        type: "carrier-picked",
        brand: claro,
      },
    );
    expect(chosen.step).toBe("offer");
    expect(currentBrand(chosen)).toEqual(claro);
  });

  it("asks for an amount before a RANGE offer is confirmed, and keeps the value", () => {
    const asked = run(typed, known, entered, { type: "offer-picked", offer: range, context });
    expect(asked.step).toBe("amount");
    const confirmed = counterReducer(asked, { type: "amount-entered", quote, context });
    expect(confirmed.attempt?.basket).toMatchObject({
      price: 7800,
      send: 7500,
      value: quote.value,
    });
    expect(counterReducer(confirmed, { type: "back" }).step).toBe("amount");
  });

  it("repeats an earlier sale at once and follows the price when it is known", () => {
    const again = run({ type: "repeated", earlier, context });
    expect(again).toMatchObject({ step: "confirm", priceMoved: false });
    const repriced = counterReducer(again, {
      type: "quoted",
      saleId: "sale-1",
      quote: { ...quote, price: 5300 },
    });
    expect(repriced).toMatchObject({ priceMoved: true });
    expect(repriced.attempt?.basket.price).toBe(5300);
    expect(counterReducer(again, { type: "back" }).step).toBe("number");
  });

  it("undoes one step at a time", () => {
    const confirm = run(typed, known, entered, picked);
    const offer = counterReducer(confirm, { type: "back" });
    expect(offer).toMatchObject({ step: "offer", attempt: undefined });
    const number = counterReducer(offer, { type: "back" });
    expect(number).toMatchObject({ step: "number", digits });
    expect(counterReducer(number, { type: "back" })).toEqual(INITIAL_COUNTER);
  });

  it("lets nothing but an answer change a sale that is being paid", () => {
    const paying = run(typed, known, entered, picked, { type: "pay" });
    for (const event of [typed, picked, { type: "pay" }, { type: "back" }] as CounterEvent[]) {
      expect(counterReducer(paying, event)).toBe(paying);
    }
    expect(counterReducer(paying, { type: "answered" })).toEqual(INITIAL_COUNTER);
  });

  it("keeps the ids through a refusal, and asks again at the new price", () => {
    const paying = run(typed, known, entered, picked, { type: "pay" });
    const refused = counterReducer(paying, { type: "refused", error: "moved", price: 5450 });
    expect(refused).toMatchObject({ step: "confirm", paying: false, priceMoved: true });
    expect(refused.attempt).toMatchObject({ saleId: "sale-1", basket: { price: 5450 } });
  });

  it("opens a stored confirm step again with its ids", () => {
    const { attempt } = run(typed, known, entered, picked);
    if (!attempt) {
      throw new Error("no attempt");
    }
    const restored = run({ type: "restored", attempt });
    expect(restored).toMatchObject({ step: "confirm", digits, attempt });
    expect(confirmAttempt(attempt, 5250, 1).input.saleId).toBe("sale-1");
  });

  it("has an attempt exactly while it confirms, whatever is pressed", () => {
    const events = fc.constantFrom<CounterEvent>(
      typed,
      known,
      entered,
      picked,
      { type: "offer-picked", offer: range, context },
      { type: "amount-entered", quote, context },
      { type: "repeated", earlier, context },
      { type: "carrier-opened" },
      { type: "carrier-picked", brand: claro },
      { type: "pay" },
      { type: "answered" },
      { type: "refused", error: "no" },
      { type: "back" },
    );
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (presses) => {
        const state = run(...presses);
        expect(state.attempt !== undefined).toBe(state.step === "confirm");
        expect(state.paying && state.step !== "confirm").toBe(false);
      }),
    );
  });
});
