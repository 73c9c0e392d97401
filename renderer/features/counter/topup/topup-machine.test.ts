import { describe, expect, it } from "vitest";
import { phone, range, tigo } from "../testing/fixtures.ts";
import { topupReducer } from "./topup-machine.ts";
import { currentBrand, INITIAL_TOPUP, type TopupEvent, type TopupState } from "./topup-state.ts";

const claro = { brand: "CLARO", brandName: "Claro", brandColor: "#da291c" };
const digits = "50251234567";
const typed: TopupEvent = { type: "number-typed", digits };
const known: TopupEvent = { type: "phone-known", digits, phone };
const entered: TopupEvent = { type: "number-entered" };

function run(...events: TopupEvent[]): TopupState {
  return events.reduce(topupReducer, INITIAL_TOPUP);
}

describe("a top-up that is composed", () => {
  it("goes from number to offers, of the detected carrier", () => {
    const state = run(typed, known, entered);
    expect(state.step).toBe("offer");
    expect(currentBrand(state)).toEqual(tigo);
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
    const opened = run(typed, known, entered, { type: "carrier-opened" });
    const chosen = topupReducer(opened, { type: "carrier-picked", brand: claro });
    expect(chosen.step).toBe("offer");
    expect(currentBrand(chosen)).toEqual(claro);
  });

  it("asks for an amount before a RANGE offer is a line", () => {
    const asked = run(typed, known, entered, { type: "range-picked", offer: range });
    expect(asked).toMatchObject({ step: "amount", amountOffer: { offerId: "TANY" } });
    expect(topupReducer(asked, { type: "back" }).step).toBe("offer");
  });

  it("undoes one step at a time", () => {
    const offer = run(typed, known, entered);
    const number = topupReducer(offer, { type: "back" });
    expect(number).toMatchObject({ step: "number", digits });
    expect(topupReducer(number, { type: "back" })).toEqual(INITIAL_TOPUP);
  });

  it("begins anew with other digits", () => {
    expect(run(typed, known, entered, { type: "number-typed", digits: "5025" })).toEqual({
      ...INITIAL_TOPUP,
      digits: "5025",
    });
  });
});
