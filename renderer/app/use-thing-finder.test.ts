import { expect, it } from "vitest";
import type { FoundOffer } from "../features/search/search-index.ts";
import { byPrice } from "./use-thing-finder.ts";

function card(country: string, title: string, price: number): FoundOffer {
  const brand = { brand: "NETFLIX", brandName: "Netflix", brandColor: "" };
  return { ...brand, productType: "VOUCHER", country, offerId: title, title, price };
}

it("results with the typed amount come before other amounts of the same brand, across countries", () => {
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

it("an amount is found by its number, also if number and unit are a single word", () => {
  const found = [card("ES", "5 GB, 30 days", 73), card("ES", "2 GB, 15 days", 38)];
  const titles = (typed: string) => byPrice(found, typed).map(({ title }) => title);
  expect(titles("spain esim 5gb")).toEqual(["5 GB, 30 days", "2 GB, 15 days"]);
  expect(titles("spain esim")).toEqual(["2 GB, 15 days", "5 GB, 30 days"]);
});
