import { describe, expect, it } from "vitest";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";
import { SearchIndex } from "./search-index.ts";

const COUNTRIES: Record<string, string> = { GT: "Guatemala", MX: "México", AE: "الإمارات" };
const FAMILIES: Record<string, string> = { TOPUP: "Recarga", ESIM: "eSIM" };
const words = {
  contents: (title: string) => title.replace("days", "días"),
  country: (code: string) => COUNTRIES[code] ?? code,
  region: (region: string) => (region === "Caribbean" ? "Caribe" : region),
  family: (productType: string) => FAMILIES[productType] ?? "Vale",
};

const index: PosSearchIndex = {
  currency: "GTQ",
  currencyDivisor: 100,
  brands: [
    { brand: "TIGO", brandName: "Tigo", brandColor: "#00377b" },
    { brand: "TELCEL", brandName: "Telcel", brandColor: "" },
    { brand: "ETISALAT", brandName: "Étisalat", brandColor: "" },
    { brand: "NETFLIX", brandName: "Netflix", brandColor: "#e50914" },
  ],
  groups: [
    {
      productType: "TOPUP",
      brand: "TIGO",
      country: "GT",
      offers: [
        ["TIGO_25", "25 GTQ", 2_635],
        ["TIGO_50", "50 GTQ", 5_270],
        ["TIGO_5GB", "5 GB 7 days", 4_000],
      ],
    },
    { productType: "TOPUP", brand: "TELCEL", country: "MX", offers: [["TC_50", "50 MXN", 2_400]] },
    {
      productType: "TOPUP",
      brand: "ETISALAT",
      country: "AE",
      offers: [["ET", "Other amount", 100]],
    },
    {
      productType: "VOUCHER",
      brand: "NETFLIX",
      country: "MX",
      offers: [["NF", "300 MXN", 14_000]],
    },
  ],
};
const search = new SearchIndex(index, words);

function found(typed: string) {
  const { brands, offers } = search.find(typed, { brands: 10, offers: 10 });
  return {
    brands: brands.map(({ brand }) => brand),
    offers: offers.map(({ offerId }) => offerId),
  };
}

it("SearchIndex ranks an exact amount above amounts that only contain its digits, in any country", () => {
  const group = (country: string, title: string) => ({
    productType: "VOUCHER" as const,
    brand: "NETFLIX",
    country,
    offers: [[title, title, 100]] as [string, string, number][],
  });
  const groups = [group("US", "150 USD"), group("MX", "500 MXN"), group("DE", "50 EUR")];
  const cards = new SearchIndex({ ...index, groups }, words);
  const { offers } = cards.find("netflix 50", { brands: 5, offers: 5 }, "US");
  expect(offers.map(({ title }) => title)).toEqual(["50 EUR", "150 USD", "500 MXN"]);
});

it("SearchIndex ranks equal amounts from the shop's part of the world first", () => {
  const group = (country: string, title: string) => ({
    productType: "VOUCHER" as const,
    brand: "NETFLIX",
    country,
    offers: [[title, title, 100]] as [string, string, number][],
  });
  const groups = [group("AE", "50 AED"), group("DE", "50 EUR"), group("US", "50 USD")];
  const cards = new SearchIndex({ ...index, groups }, words);
  const first = (home: string) =>
    cards.find("netflix 50", { brands: 5, offers: 5 }, home).offers[0]?.title;
  expect([first("GT"), first("GB")]).toEqual(["50 USD", "50 EUR"]);
});

describe("SearchIndex.find", () => {
  it.each([
    ["tig", ["TIGO"]],
    ["TIGO", ["TIGO"]],
    ["guate", ["TIGO"]],
    ["mexico", ["TELCEL", "NETFLIX"]],
    ["México", ["TELCEL", "NETFLIX"]],
    ["etisalat", ["ETISALAT"]],
    ["الإمارات", ["ETISALAT"]],
    ["vale", ["NETFLIX"]],
    ["recarga mx", ["TELCEL"]],
    ["mx recarga", ["TELCEL"]],
  ])("%j finds %j", (typed, brands) => {
    expect(found(typed).brands.toSorted()).toEqual(brands.toSorted());
  });

  it.each([
    ["tigo 50", ["TIGO_50"]],
    ["50 tigo", ["TIGO_50"]],
    ["5 gb guatemala", ["TIGO_5GB"]],
    ["5gb guatemala", ["TIGO_5GB"]],
    ["300", ["NF"]],
  ])("%j finds the offers %j first", (typed, offers) => {
    expect(found(typed).offers.slice(0, offers.length)).toEqual(offers);
  });

  it.each(["", "   ", "zzzz", "()[]*+?\\", '"', "-", "tigo -"])("%j causes no error", (typed) => {
    expect(() => found(typed)).not.toThrow();
  });

  it("ranks by name, then by distance from the shop's own country", () => {
    const groups = (brand: string, productType: "VOUCHER" | "TOPUP", countries: string[]) =>
      countries.map((country) => ({
        productType,
        brand,
        country,
        offers: [[`${brand}_${country}`, "10", 100]] as [string, string, number][],
      }));
    const near = new SearchIndex(
      {
        ...index,
        brands: [
          ...index.brands,
          { brand: "CLARO", brandName: "Claro", brandColor: "" },
          { brand: "CLAROVIDEO", brandName: "Claro Video", brandColor: "" },
        ],
        groups: [
          ...groups("CLAROVIDEO", "TOPUP", ["GT"]),
          ...groups("CLARO", "TOPUP", ["AE", "BR", "GT", "SV"]),
          ...groups("NETFLIX", "VOUCHER", ["AE", "BR", "MX"]),
        ],
      },
      words,
    );
    const ranked = (typed: string, home: string) =>
      near
        .find(typed, { brands: 9, offers: 9 }, home)
        .brands.map((one) => `${one.brand} ${one.country}`);
    expect(ranked("netfl", "GT")).toEqual(["NETFLIX MX", "NETFLIX BR", "NETFLIX AE"]);
    expect(ranked("netfl", "AE")[0]).toBe("NETFLIX AE");
    expect(ranked("claro", "GT").slice(0, 3)).toEqual(["CLARO GT", "CLARO SV", "CLARO BR"]);
    expect(ranked("claro video", "SV")[0]).toBe("CLAROVIDEO GT");
    expect(near.find("netfl", { brands: 1, offers: 1 }, "GT").offers[0]?.country).toBe("MX");
    expect(ranked("netfl", "")).toHaveLength(3);
  });

  it("finds regional eSIMs that include a typed country, even if the country has many other products", () => {
    const area = { regions: ["Caribbean"], countries: ["CU", "DO"] };
    const worldwide = { regions: ["Global"], countries: ["CU", "DO", "MX"] };
    const many = Array.from(
      { length: 20 },
      (_, at) => [`CU_${at}`, `${at} CUP`, 100 + at] as const,
    );
    const roaming = new SearchIndex(
      {
        ...index,
        brands: [{ brand: "AIRALO", brandName: "Airalo", brandColor: "" }],
        groups: [
          {
            productType: "TOPUP",
            brand: "CUBACEL",
            country: "CU",
            offers: many.map((one) => [...one]),
          },
          {
            productType: "ESIM",
            brand: "AIRALO",
            country: "",
            area,
            offers: [["A1", "1 GB", 900]],
          },
          {
            productType: "ESIM",
            brand: "AIRALO",
            country: "",
            area: worldwide,
            offers: [
              ["W5", "5 GB", 3_000],
              ["W1", "1 GB", 1_200],
            ],
          },
        ],
      },
      { ...words, country: (code) => ({ CU: "Cuba", DO: "República Dominicana" })[code] ?? code },
    );
    const find = (typed: string) => {
      const { brands, offers } = roaming.find(typed, { brands: 6, offers: 12 });
      return [
        brands.flatMap((one) => one.area?.regions ?? []),
        offers.slice(-2).map(({ offerId }) => offerId),
      ];
    };
    expect(find("cuba")).toEqual([
      ["Caribbean", "Global"],
      ["A1", "W1"],
    ]);
    expect(find("esim dominicana")).toEqual(find("cuba"));
    expect(find("cu")[0]).toEqual([]);
    expect(roaming.find("caribe", { brands: 6, offers: 12 }).brands).toMatchObject([{ area }]);
    expect(roaming.find("guatemala", { brands: 6, offers: 12 }).brands).toEqual([]);
  });

  it("returns no more results than requested", () => {
    expect(search.find("o", { brands: 1, offers: 2 })).toMatchObject({
      brands: [{}],
      offers: [{}, {}],
    });
    expect(search.size).toBe(6);
  });
});

describe("SearchIndex.correct", () => {
  const search = new SearchIndex(index, words);

  it.each([
    ["netflx", "netflix"],
    ["netfilx 300", "netflix 300"],
    ["etisalta", "etisalat"],
  ])("corrects %s to %s", (typed, meant) => {
    expect(search.correct(typed)).toBe(meant);
  });

  it.each(["netflix", "net", "guatemala", "zzzz", ""])("%s stays unchanged", (typed) => {
    expect(search.correct(typed)).toBeUndefined();
  });
});
