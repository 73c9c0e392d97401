import { describe, expect, it } from "vitest";
import { buildCatalog } from "./build/catalog.ts";
import { DATA_SPEEDS, REGIONS } from "./build/types.ts";

const { esim } = buildCatalog();
const distinct = <Value>(values: readonly Value[]) => new Set(values);
const ofArea = esim.filter(({ country }) => country === "");
const ofCountry = esim.filter(({ country }) => country !== "");

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const isIsoCountry = (code: string) =>
  /^[A-Z]{2}$/.test(code) && !["EU", "UN", "XK", "ZZ"].includes(code) && names.of(code);
const risesThrough = (speeds: readonly string[]) =>
  speeds.length > 0 &&
  DATA_SPEEDS.filter((speed) => speeds.includes(speed)).join() === speeds.join();

describe("eSIM offers", () => {
  it("cover single countries, areas and the world", () => {
    expect(esim.length).toBeGreaterThanOrEqual(1_000);
    expect(esim.length).toBeLessThanOrEqual(1_400);
    expect(distinct(ofCountry.map(({ country }) => country)).size).toBeGreaterThanOrEqual(150);
    expect(ofArea.some(({ regions }) => regions.includes("Global"))).toBe(true);
    expect(ofArea.some(({ regions }) => !regions.includes("Global"))).toBe(true);
    expect(distinct(esim.flatMap(({ regions }) => regions))).toEqual(distinct(REGIONS));
    expect(distinct(esim.flatMap(({ subTypes }) => subTypes))).toEqual(
      distinct(["eSIM Data", "eSIM Unlimited", "eSIM Voice and Data"]),
    );
  });

  it("have the data sizes and durations that travellers buy", () => {
    const sizes = esim.map(({ dataGB }) => dataGB).filter((size) => size > 0);
    expect(distinct(sizes)).toEqual(distinct([1, 2, 3, 5, 10, 20, 50]));
    const unlimited = esim.filter(({ dataUnlimited }) => dataUnlimited);
    expect(distinct(unlimited.map(({ durationDays }) => durationDays))).toEqual(
      distinct([7, 15, 30]),
    );
  });

  it("include at least one and fewer than five withdrawn offers", () => {
    const withdrawn = esim.filter(({ enabled }) => !enabled);
    expect(withdrawn.length).toBeGreaterThan(0);
    expect(withdrawn.length).toBeLessThan(5);
  });

  it("all have the same fields in the same order, and no send block", () => {
    expect([...distinct(esim.map((offer) => Object.keys(offer).join(" ")))]).toEqual([
      "offerId brand brandName country createdAt updatedAt enabled notes shortNotes cost price " +
        "priceType productType regions subTypes dataGB dataSpeeds dataUnlimited durationDays " +
        "roaming smsNumber smsUnlimited voiceMinutes voiceUnlimited",
    ]);
  });

  it("describe the contents of their plans", () => {
    for (const offer of esim) {
      expect(offer.dataUnlimited ? offer.dataGB === 0 : offer.dataGB > 0, offer.offerId).toBe(true);
      expect(offer.durationDays, offer.offerId).toBeGreaterThan(0);
      if (offer.smsUnlimited) expect(offer.smsNumber).toBe(0);
      if (offer.voiceUnlimited) expect(offer.voiceMinutes).toBe(0);
      const talks =
        offer.voiceUnlimited || offer.smsUnlimited || offer.voiceMinutes + offer.smsNumber > 0;
      const data = offer.dataUnlimited ? "eSIM Unlimited" : "eSIM Data";
      expect(offer.subTypes, offer.offerId).toEqual([talks ? "eSIM Voice and Data" : data]);
    }
  });

  it("list roaming countries for areas, and none for a single country", () => {
    for (const { offerId, country, roaming } of ofCountry) {
      expect(isIsoCountry(country), offerId).toBeTruthy();
      expect(roaming, offerId).toEqual([]);
    }
    for (const { offerId, roaming, dataSpeeds, regions } of ofArea) {
      const codes = roaming.map(({ country }) => country);
      expect(
        codes.filter((code) => !isIsoCountry(code)),
        offerId,
      ).toEqual([]);
      expect(distinct(codes).size, offerId).toBe(codes.length);
      expect(codes.length, offerId).toBeGreaterThanOrEqual(regions.includes("Global") ? 150 : 3);
      expect(distinct(roaming.flatMap((each) => each.dataSpeeds)), offerId).toEqual(
        distinct(dataSpeeds),
      );
    }
  });

  it("list data speeds from the slowest to the fastest", () => {
    for (const { offerId, dataSpeeds, roaming } of esim) {
      expect(risesThrough(dataSpeeds), offerId).toBe(true);
      for (const each of roaming) expect(risesThrough(each.dataSpeeds), offerId).toBe(true);
    }
  });

  it("have costs and prices in whole US cents, with a margin", () => {
    for (const { offerId, cost, price } of esim) {
      expect([cost.currency, cost.currencyDivisor]).toEqual(["USD", 100]);
      expect([price.currency, price.currencyDivisor]).toEqual(["USD", 100]);
      expect(Number.isSafeInteger(cost.fixed) && cost.fixed > 0, offerId).toBe(true);
      expect(Number.isSafeInteger(price.fixed), offerId).toBe(true);
      expect(price.suggestedFixed, offerId).toBe(price.fixed);
      expect(cost.fixed + cost.fee, offerId).toBeLessThan(price.fixed + price.fee);
    }
  });

  it("cost less per gigabyte if the plan is larger", () => {
    const plain = esim.filter(({ subTypes }) => subTypes.includes("eSIM Data"));
    for (const { offerId, price, dataGB, regions } of plain) {
      const dollars = price.fixed / 100 / dataGB;
      expect(dollars, offerId).toBeGreaterThan(0.8);
      expect(dollars, offerId).toBeLessThan(regions.includes("Western Europe") ? 5 : 10);
    }
    const places = Object.groupBy(plain, ({ brand, country, regions, roaming }) =>
      [brand, country, regions, roaming.length].join(" "),
    );
    for (const plans of Object.values(places)) {
      const rates = plans?.map(({ price, dataGB }) => price.fixed / dataGB) ?? [];
      expect(rates).toEqual(rates.toSorted((one, other) => other - one));
    }
  });
});
