import { describe, expect, it } from "vitest";
import { buildCatalog, offersOf } from "./build/catalog.ts";
import { REGIONS } from "./build/types.ts";

const catalog = buildCatalog();
const { promos } = catalog;
const distinct = <Value>(values: readonly Value[]) => new Set(values);
const DAY = 24 * 60 * 60 * 1000;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("promotions", () => {
  it("apply to offers of the catalog", () => {
    expect(promos.length).toBeGreaterThanOrEqual(45);
    for (const { id, brand, country, regions } of promos) {
      const offer = offersOf(catalog).find(
        (each) =>
          each.brand === brand.brand && each.country === country && each.regions.includes(regions),
      );
      expect(offer?.brandName, id).toBe(brand.brandName);
      expect(REGIONS, id).toContain(regions);
    }
  });

  it("have unique ids", () => {
    expect(distinct(promos.map(({ id }) => id)).size).toBe(promos.length);
    expect(promos.filter(({ id }) => !/^[A-Z0-9]+(?:_[A-Z0-9]+)*$/.test(id))).toEqual([]);
    const offerIds = distinct(offersOf(catalog).map(({ offerId }) => offerId));
    expect(promos.filter(({ id }) => offerIds.has(id))).toEqual([]);
  });

  it("all have the same fields in the same order, and no status", () => {
    const orders = promos.map((promo) => Object.keys(promo).join(" "));
    expect([...distinct(orders)]).toEqual([
      "id brand country regions createdAt updatedAt startAt endAt minValue maxValue description " +
        "descriptions",
    ]);
    for (const { brand, description, descriptions } of promos) {
      expect(Object.keys(brand)).toEqual(["brand", "brandName"]);
      for (const text of [description, ...descriptions]) {
        expect(Object.keys(text)).toEqual(["description", "language", "terms"]);
      }
    }
  });

  it("start after their announcement and before their end", () => {
    for (const { id, createdAt, updatedAt, startAt, endAt } of promos) {
      for (const time of [createdAt, updatedAt, startAt, endAt]) {
        expect(time, id).toMatch(RFC_3339);
      }
      expect([createdAt, startAt, endAt].toSorted(), id).toEqual([createdAt, startAt, endAt]);
      expect(updatedAt >= createdAt, id).toBe(true);
    }
  });

  it("include active, expired and future promotions on every day of 2026 and 2027", () => {
    const firstDay = Date.parse("2026-01-01T00:00:00.000Z");
    const days = Array.from({ length: 730 }, (_, n) => {
      return new Date(firstDay + n * 24 * 60 * 60 * 1000).toISOString();
    });
    expect(days.at(-1)).toBe("2027-12-31T00:00:00.000Z");
    for (const day of days) {
      const expired = promos.filter(({ endAt }) => endAt < day).length;
      const pending = promos.filter(({ startAt }) => startAt > day).length;
      const active = promos.length - expired - pending;
      expect(Math.min(expired, pending), day).toBeGreaterThanOrEqual(10);
      expect(active, day).toBeGreaterThanOrEqual(3);
    }
    const years = promos.flatMap(({ startAt, endAt }) =>
      [startAt, endAt].map((t) => t.slice(0, 4)),
    );
    expect([...distinct(years)].sort()).toEqual(["2025", "2026", "2027", "2028"]);
  });

  it("last a week at most, except for free use of social networks", () => {
    for (const { id, startAt, endAt } of promos) {
      if (id.includes("_SOCIAL_")) continue;
      expect(Date.parse(endAt) - Date.parse(startAt), id).toBeLessThan(7 * DAY);
    }
  });

  it("include promotions of Cubacel in every month, but not on every day", () => {
    const cubacel = promos.filter(({ brand }) => brand.brand === "CUBACEL");
    for (let month = 1; month <= 12; month += 1) {
      const name = `2026-${String(month).padStart(2, "0")}`;
      const ofMonth = cubacel.filter(({ startAt }) => startAt.startsWith(name));
      expect(ofMonth.length, name).toBeGreaterThanOrEqual(1);
    }
    const days = Array.from({ length: 365 }, (_, n) => Date.parse("2026-01-01T12:00Z") + n * DAY);
    const on = (day: number) =>
      cubacel.filter(({ startAt, endAt }) => Date.parse(startAt) < day && day < Date.parse(endAt));
    expect(days.filter((day) => on(day).length === 0).length).toBeGreaterThan(200);
    // Some promotions overlap, as in reality.
    expect(days.some((day) => on(day).length > 1)).toBe(true);
  });

  it("have limits that a purchase can satisfy", () => {
    for (const { id, brand, country, minValue, maxValue } of promos) {
      expect(Number.isSafeInteger(minValue) && Number.isSafeInteger(maxValue), id).toBe(true);
      expect(minValue, id).toBeGreaterThan(0);
      expect(maxValue, id).toBeGreaterThanOrEqual(minValue);
      const values = offersOf(catalog)
        .filter((offer) => offer.brand === brand.brand && offer.country === country)
        .map((offer) => ("send" in offer ? offer.send : offer.price))
        .map((amount) => ("fixed" in amount ? amount.fixed : amount.min));
      expect(
        values.some((value) => value >= minValue && value <= maxValue),
        id,
      ).toBe(true);
    }
  });
});

describe("texts of promotions", () => {
  const texts = promos.flatMap(({ id, description, descriptions }) =>
    [description, ...descriptions].map((text) => ({ id, ...text })),
  );

  it("contain English first, and each other language once", () => {
    for (const { id, description, descriptions } of promos) {
      expect(description.language, id).toBe("en");
      const others = descriptions.map(({ language }) => language);
      expect(others, id).not.toContain("en");
      expect(distinct(others).size, id).toBe(others.length);
    }
    expect(distinct(texts.map(({ language }) => language))).toEqual(
      distinct(["en", "ar", "bn", "es", "fr", "hi", "ht", "pt", "tl", "ur"]),
    );
    const inThree = promos.filter(({ descriptions }) => descriptions.length >= 2);
    expect(inThree.length).toBeGreaterThanOrEqual(5);
  });

  it("use the script of their language", () => {
    const scripts = new Map([
      ["ar", /\p{Script=Arabic}/u],
      ["bn", /\p{Script=Bengali}/u],
      ["hi", /\p{Script=Devanagari}/u],
      ["ur", /\p{Script=Arabic}/u],
    ]);
    for (const { id, language, description, terms } of texts) {
      const script = scripts.get(language) ?? /\p{Script=Latin}/u;
      expect(description, id).toMatch(script);
      expect(terms, id).toMatch(script);
      expect(description + terms, id).not.toMatch(/[{}]/);
    }
  });
});
