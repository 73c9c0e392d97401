import { expect, it } from "vitest";
import { countriesHomeFirst, homeFirst } from "./home-first.ts";

const names: Readonly<Record<string, string>> = {
  GT: "Guatemala",
  HN: "Honduras",
  AR: "Argentina",
};
const nameOf = (code: string) => names[code] ?? code;

it("countriesHomeFirst lists the shop's own country, then the other countries by name", () => {
  const idsOf = (home: string) =>
    countriesHomeFirst(["HN", "GT", "AR"], home, nameOf).map(({ id }) => id);
  expect(idsOf("HN")).toEqual(["HN", "AR", "GT"]);
  expect(idsOf("US")).toEqual(["AR", "GT", "HN"]);
});

it("homeFirst moves brands of the shop's own country to the front, and otherwise keeps the order", () => {
  const brandOf = (brand: string, ...countries: string[]) => ({
    brand,
    brandName: brand,
    brandColor: "",
    countries,
    subTypes: [],
    offers: 1,
  });
  const brands = [brandOf("b", "AR"), brandOf("c", "GT", "AR"), brandOf("a", "GT")];
  expect(homeFirst(brands, "GT").map(({ id }) => id)).toEqual(["c", "a", "b"]);
});
