import { describe, expect, it } from "vitest";
import { phone, range, tigo } from "../../testing/fixtures.ts";
import {
  currentBrand,
  INITIAL_TOPUP,
  type TopupEvent,
  type TopupState,
  topupReducer,
} from "./topup-state.ts";

const claro = { brand: "CLARO", brandName: "Claro", brandColor: "#da291c" };
const digits = "50251234567";
const typed: TopupEvent = { type: "number-typed", digits };
const known: TopupEvent = { type: "phone-known", digits, phone };
const entered: TopupEvent = { type: "number-entered" };

function run(...events: TopupEvent[]): TopupState {
  return events.reduce(topupReducer, INITIAL_TOPUP);
}

describe("top-up state machine", () => {
  it("goes from the number to the offers of the detected carrier", () => {
    const state = run(typed, known, entered);
    expect(state.step).toBe("offer");
    expect(currentBrand(state)).toEqual(tigo);
  });

  it("leaves the number step when the answer arrives after Enter", () => {
    expect(run(typed, entered)).toMatchObject({ step: "number", wantsOn: true });
    expect(run(typed, entered, known)).toMatchObject({ step: "offer", wantsOn: false });
  });

  it("ignores an answer for other digits", () => {
    expect(run({ type: "number-typed", digits: "502" }, known).phone).toBeUndefined();
  });

  it("stays at the number step while the number is incomplete", () => {
    const incomplete = { ...phone, valid: false };
    expect(run(typed, { type: "phone-known", digits, phone: incomplete }, entered).step).toBe(
      "number",
    );
  });

  it("asks for the carrier if it is unknown, and prefers the clerk's choice to the detected carrier", () => {
    const { detected: _, ...unknown } = phone;
    expect(run(typed, { type: "phone-known", digits, phone: unknown }, entered).step).toBe(
      "carrier",
    );
    const opened = run(typed, known, entered, { type: "carrier-opened" });
    const chosen = topupReducer(opened, { type: "carrier-picked", brand: claro });
    expect(chosen.step).toBe("offer");
    expect(currentBrand(chosen)).toEqual(claro);
  });

  it("asks for an amount before a RANGE offer becomes a line", () => {
    const asked = run(typed, known, entered, { type: "range-picked", offer: range });
    expect(asked).toMatchObject({ step: "amount", amountOffer: { offerId: "TANY" } });
    expect(topupReducer(asked, { type: "back" }).step).toBe("offer");
  });

  it("undoes one step at a time", () => {
    const offer = run(typed, known, entered);
    const number = topupReducer(offer, { type: "back" });
    expect(number).toMatchObject({ step: "number", digits: phone.number });
    expect(topupReducer(number, { type: "back" })).toEqual(INITIAL_TOPUP);
  });

  it("replaces the typed digits with the whole number after the number step", () => {
    const digits = "51234567";
    const local: TopupEvent[] = [
      { type: "number-typed", digits },
      { type: "phone-known", digits, phone },
    ];
    expect(run(...local)).toMatchObject({ digits, phone: { number: "+50251234567" } });
    const offer = run(...local, entered);
    expect(offer).toMatchObject({ step: "offer", digits: "+50251234567" });
    // A later answer for the typed digits does not apply to this number.
    const other = { ...phone, number: "+51234567", country: "PE" };
    expect(topupReducer(offer, { type: "phone-known", digits, phone: other })).toEqual(offer);
    expect(run(...local, { type: "carrier-opened" })).toMatchObject({
      step: "carrier",
      digits: "+50251234567",
    });
  });

  it("starts over after the digits change", () => {
    expect(run(typed, known, entered, { type: "number-typed", digits: "5025" })).toEqual({
      ...INITIAL_TOPUP,
      digits: "5025",
    });
  });
});

describe("top-up with ambiguous digits", () => {
  const either = "6592345678";
  const { choices: _, ...itself } = phone;
  const alabama = { ...itself, number: "+16592345678", country: "US" };
  const singapore = { ...itself, number: "+6592345678", country: "SG", brands: [] };
  const choices = [alabama, singapore];
  const asked = { ...itself, number: singapore.number, valid: false, brands: [], choices };
  const { detected: _detected, ...unknown } = asked;
  const typedEither: TopupEvent = { type: "number-typed", digits: either };
  const told: TopupEvent = { type: "phone-known", digits: either, phone: unknown };

  it("asks which number is meant, whether the answer arrives before or after Enter", () => {
    for (const events of [
      [typedEither, told, entered],
      [typedEither, entered, told],
    ]) {
      expect(run(...events)).toMatchObject({ step: "country", digits: either, wantsOn: false });
    }
  });

  it("continues only with the picked number", () => {
    const question = run(typedEither, told, entered);
    for (const event of [
      entered,
      { type: "carrier-opened" },
      { type: "carrier-picked", brand: claro },
      { type: "number-picked", phone: alabama },
    ] as const) {
      const { step, digits } = topupReducer(question, event);
      expect([event.type, step, digits]).toEqual(
        event.type === "number-picked"
          ? [event.type, "offer", alabama.number]
          : [event.type, "country", either],
      );
    }
  });

  it("stays at the number step if the picked number has no offers", () => {
    const picked: TopupEvent = { type: "number-picked", phone: singapore };
    expect(run(typedEither, told, entered, picked)).toMatchObject({
      step: "number",
      digits: singapore.number,
    });
  });

  it("asks again after the clerk goes back, and continues once the number is unambiguous", () => {
    expect(run(typedEither, told, entered, { type: "back" })).toMatchObject({
      step: "number",
      digits: either,
    });
    const known: TopupEvent = {
      type: "phone-known",
      digits: either,
      phone: { ...alabama, choices },
    };
    expect(run(typedEither, known, entered)).toMatchObject({
      step: "offer",
      digits: alabama.number,
    });
    expect(run(typedEither, known, { type: "country-opened" }).step).toBe("country");
  });
});
