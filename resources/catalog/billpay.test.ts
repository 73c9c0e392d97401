import { describe, expect, it } from "vitest";
import { buildCatalog } from "./build/catalog.ts";
import { WEEKDAYS } from "./build/types.ts";

const { billpay } = buildCatalog();
const distinct = <Value>(values: readonly Value[]) => new Set(values);
const isTrue = (value: boolean) => value;

describe("bill payment offers", () => {
  it("cover billers of every kind in many countries", () => {
    expect(billpay.length).toBeGreaterThanOrEqual(100);
    expect(billpay.length).toBeLessThanOrEqual(220);
    expect(distinct(billpay.map(({ brand }) => brand)).size).toBeGreaterThanOrEqual(60);
    expect(distinct(billpay.map(({ country }) => country)).size).toBeGreaterThanOrEqual(15);
    expect([...distinct(billpay.flatMap(({ subTypes }) => subTypes))].sort()).toEqual([
      "Education",
      "Electricity",
      "Gas",
      "Government",
      "Insurance",
      "Loan",
      "TV and Internet",
      "Telecom Postpaid",
      "Water",
    ]);
  });

  it("include at least one and fewer than five withdrawn offers", () => {
    const withdrawn = billpay.filter(({ enabled }) => !enabled);
    expect(withdrawn.length).toBeGreaterThan(0);
    expect(withdrawn.length).toBeLessThan(5);
  });

  it("all have the same fields in the same order", () => {
    expect([...distinct(billpay.map((offer) => Object.keys(offer).join(" ")))]).toEqual([
      "offerId brand brandName country createdAt updatedAt enabled notes shortNotes cost price " +
        "send priceType productType regions subTypes requiredFields billRetrievalRequiredFields " +
        "supportsBillRetrieval supportsOverpayment supportsUnderpayment cutoffTime " +
        "processingDays processingOnHolidays deliverySpeedSeconds",
    ]);
  });

  it("require only known fields, and retrieve a bill with some of the required fields", () => {
    const known = ["accountNumber", "billIdentifier", "customer.documentNumber"];
    expect(distinct(billpay.flatMap(({ requiredFields }) => requiredFields))).toEqual(
      distinct(known),
    );
    for (const offer of billpay) {
      const { offerId, requiredFields, billRetrievalRequiredFields: retrieval } = offer;
      expect(requiredFields.length, offerId).toBeGreaterThan(0);
      expect(distinct(requiredFields).size, offerId).toBe(requiredFields.length);
      expect(offer.supportsBillRetrieval, offerId).toBe(retrieval.length > 0);
      expect(
        retrieval.filter((field) => !requiredFields.includes(field)),
        offerId,
      ).toEqual([]);
      expect(retrieval, offerId).not.toContain("customer.documentNumber");
    }
  });

  it("differ in retrieval, overpayment, underpayment and processing on holidays", () => {
    const both = distinct([true, false]);
    const ranges = billpay.filter(({ priceType }) => priceType === "RANGE");
    expect(distinct(billpay.map((offer) => offer.supportsBillRetrieval))).toEqual(both);
    expect(distinct(billpay.map((offer) => offer.processingOnHolidays))).toEqual(both);
    const payments = ranges.map((offer) =>
      [offer.supportsOverpayment, offer.supportsUnderpayment].join(),
    );
    expect(distinct(payments)).toEqual(
      distinct(["true,true", "true,false", "false,true", "false,false"]),
    );
  });

  it("accept neither overpayment nor underpayment if the amount is fixed", () => {
    const fixed = billpay.filter(({ priceType }) => priceType === "FIXED");
    expect(fixed.length).toBeGreaterThan(0);
    expect(fixed.length).toBeLessThan(billpay.length / 4);
    for (const { offerId, supportsOverpayment, supportsUnderpayment } of fixed) {
      expect([supportsOverpayment, supportsUnderpayment].some(isTrue), offerId).toBe(false);
    }
  });

  it("accept any amount to the cent, within the usual amounts of bills, unless the amount is fixed", () => {
    for (const { offerId, price } of billpay) {
      if (!("increment" in price)) continue;
      expect(price.increment, offerId).toBe(1);
      expect(price.min, offerId).toBeLessThanOrEqual(2_000);
      expect(price.max, offerId).toBeGreaterThanOrEqual(10_000);
      expect(price.max, offerId).toBeLessThanOrEqual(200_000);
    }
  });

  it("often charge fees", () => {
    const withFee = billpay.filter(({ cost, price }) => cost.fee + cost.feePct + price.fee > 0);
    const withPct = billpay.filter(({ cost }) => cost.feePct > 0);
    expect(withFee.length).toBeGreaterThanOrEqual(40);
    expect(withPct.length).toBeGreaterThanOrEqual(20);
  });

  it("state on which days and until which time bills are processed", () => {
    for (const { offerId, cutoffTime, processingDays, deliverySpeedSeconds } of billpay) {
      expect(cutoffTime, offerId).toMatch(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/);
      expect(processingDays.length, offerId).toBeGreaterThanOrEqual(5);
      expect(processingDays, offerId).toEqual(
        WEEKDAYS.filter((day) => processingDays.includes(day)),
      );
      expect(Number.isSafeInteger(deliverySpeedSeconds), offerId).toBe(true);
      expect(deliverySpeedSeconds, offerId).toBeGreaterThan(0);
    }
    expect(billpay.some(({ cutoffTime }) => cutoffTime === "")).toBe(true);
  });
});
