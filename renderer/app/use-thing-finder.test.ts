import { expect, it } from "vitest";
import type { FoundOffer } from "../features/search/search-index.ts";
import { byPrice } from "./use-thing-finder.ts";

function card(country: string, title: string, price: number): FoundOffer {
  const brand = { brand: "NETFLIX", brandName: "Netflix", brandColor: "" };
  return { ...brand, productType: "VOUCHER", country, offerId: title, title, price };
}

it("keeps the amount that was typed together, of whatever country, and then the cheapest of each first", () => {
  const found = [
    card("CA", "50 CAD", 300),
    card("US", "50 USD", 400),
    card("CA", "250 CAD", 1500),
    card("CA", "150 CAD", 900),
  ];
  const titles = (typed: string) => byPrice(found, typed).map(({ title }) => title);
  expect(titles("netflix 50")).toEqual(["50 CAD", "50 USD", "150 CAD", "250 CAD"]);
  expect(titles("netflix")).toEqual(["50 CAD", "150 CAD", "250 CAD", "50 USD"]);
});
