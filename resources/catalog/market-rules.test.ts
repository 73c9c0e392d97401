import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTable } from "../lib/csv.ts";
import { buildCatalog, offersOf, TABLES_DIR } from "./build/catalog.ts";

const catalog = buildCatalog();
const offers = offersOf(catalog);
const TODAY = offers[0]?.createdAt.slice(0, 10) ?? "";
const changes = readTable(join(TABLES_DIR, "market-changes.csv"), [
  "country",
  "brand",
  "kind",
  "from",
  "to",
  "date",
  "source",
  "checked",
]).map(({ cells }) => cells);

describe("a market change", () => {
  it("disables the offers of brands that ended or merged", () => {
    const gone = changes.filter(
      ({ kind, date }) => ["ended", "merged"].includes(kind) && date !== "" && date <= TODAY,
    );
    expect(gone.length).toBeGreaterThan(0);
    const still = offers.filter(
      ({ enabled, brand, country }) =>
        enabled && gone.some((change) => change.brand === brand && change.country === country),
    );
    expect(still.map(({ offerId }) => offerId)).toEqual([]);
  });

  it("the newest verification is at most a year older than the tables' date", () => {
    const checked = changes.map((change) => change.checked).sort();
    expect(checked.at(-1)! <= TODAY).toBe(true);
    const days = (Date.parse(TODAY) - Date.parse(checked.at(-1)!)) / (24 * 60 * 60 * 1000);
    expect(days).toBeLessThanOrEqual(366);
  });
});

describe("top-up offers", () => {
  /** Countries in which operators sell few denominations, and plans at other prices. */
  const APART = ["BR", "CN", "ID", "IN", "TR", "VN"];
  const ofMarket = catalog.topups.filter(({ country }) => APART.includes(country));

  it("include no any-amount offers in countries where operators sell only denominations", () => {
    expect(new Set(ofMarket.map(({ country }) => country)).size).toBe(APART.length);
    expect(ofMarket.filter(({ priceType }) => priceType === "RANGE")).toEqual([]);
  });

  it("include no denomination that is also the price of a plan of the same operator", () => {
    const sentBy = (subType: boolean) =>
      ofMarket
        .filter(({ subTypes }) => subTypes.includes("Mobile Top Up") === subType)
        .map(({ country, brand, send }) => `${country} ${brand} ${"fixed" in send && send.fixed}`);
    const plans = new Set(sentBy(false));
    expect(plans.size).toBeGreaterThan(0);
    expect(sentBy(true).filter((credit) => plans.has(credit))).toEqual([]);
  });

  it("deliver as much for a price in round dollars as the free value does, except the fraction of a unit", () => {
    const priced = catalog.topups.filter(({ offerId }) => /_TOPUP_USD_\d+$/.test(offerId));
    expect(priced.length).toBeGreaterThan(200);
    for (const { offerId, price, send, cost } of priced) {
      const free = catalog.topups.find(
        (offer) => offer.offerId === offerId.replace(/USD_\d+$/, "RANGE"),
      );
      if (!free || !("fx" in free.price) || !("fixed" in price) || !("fixed" in send)) {
        throw new Error(`${offerId} has no free value beside it`);
      }
      expect(price.fixed, offerId).toBe(100 * Number(offerId.split("_").at(-1)));
      const exact = (price.fixed / 100) * free.price.fx * send.currencyDivisor;
      expect(send.fixed, offerId).toBeLessThanOrEqual(Math.ceil(exact));
      expect(send.fixed, offerId).toBeGreaterThan(exact - send.currencyDivisor - 1);
      expect("fixed" in cost && cost.fixed, offerId).toBeLessThan(price.fixed);
    }
  });

  it("state the daily and the total quantity of plans with daily quantities", () => {
    const plan = catalog.topups.find(({ offerId }) => offerId === "JIO_IN_BUNDLE_56GB_28D");
    expect(plan).toMatchObject({
      dataGB: 56,
      durationDays: 28,
      smsNumber: 2800,
      shortNotes: "2 GB/day, unlimited calls, 100 SMS/day, 28 days",
      notes: expect.stringContaining(": 2 GB/day (56 GB) + unlimited calls + 100 SMS/day, valid"),
      send: { currency: "INR", fixed: 34900 },
    });
  });
});
