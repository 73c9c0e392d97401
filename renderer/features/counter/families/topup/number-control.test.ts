import { expect, it } from "vitest";
import type { StepWords } from "../../ui/step-control.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { numberControl } from "./topup-family.tsx";
import type { Topup } from "./use-topup.ts";

const WORDS: StepWords = {
  t: ((key: string, { title }: { title?: string } = {}) => title ?? key) as never,
  inShop: String,
  inShopShort: String,
  contents: String,
  country: (code) => ({ CA: "Canada" })[code] ?? code,
};

const CARD: SoldThing = {
  id: "50 CAD",
  productType: "VOUCHER",
  brand: "NETFLIX",
  brandName: "Netflix",
  brandColor: "",
  called: "Netflix Canada 50 CAD",
  country: "CA",
};

function labelOf(thing: SoldThing, homeCountry: string): string {
  const state = { digits: "", query: "netflix 50", wantsOn: false };
  const topup = { state, homeCountry, choices: [], focused: { id: thing.id, thing } };
  return numberControl(topup as unknown as Topup, WORDS).next.label;
}

it("numberControl names the amount that Enter picks, and the country of a foreign number", () => {
  const offer = { offerId: "50 CAD", title: "50 CAD", price: "Q 275.61" };
  expect(labelOf({ ...CARD, offer }, "GT")).toBe("Netflix\u00a0· 50 CAD\u00a0· Canada");
  expect(labelOf({ ...CARD, offer }, "CA")).toBe("Netflix\u00a0· 50 CAD");
  expect(labelOf(CARD, "CA")).toBe("Netflix");
});
