import { describe, expect, it } from "vitest";
import { cleanRate, isFarRate, isRate } from "../../lib/rate-rules.ts";
import { checkSetup, matchesWords, proposedRate, type SetupForm } from "./setup-rules.ts";

const form: SetupForm = {
  shopName: "Tienda Ana",
  country: "GT",
  currency: "GTQ",
  rate: "7.75",
  timeZone: "America/Guatemala",
  language: "es",
  ownerName: "",
  pin: "274913",
  pinAgain: "274913",
};

describe("first-run form", () => {
  it("accepts a complete form in which the owner's name is unchanged", () => {
    expect(checkSetup(form, "USD")).toEqual({});
  });

  it("requires a rate only if the shop's currency differs from the wallet's", () => {
    expect(checkSetup({ ...form, rate: "" }, "USD")).toEqual({ rate: "setup.rateInvalid" });
    expect(checkSetup({ ...form, currency: "USD", rate: "" }, "USD")).toEqual({});
  });

  it("requires a time zone if the form proposes none", () => {
    expect(checkSetup({ ...form, timeZone: "" }, "USD")).toEqual({
      timeZone: "setup.timeZoneMissing",
    });
  });

  it("reports errors beside the fields", () => {
    expect(checkSetup({ ...form, shopName: "  ", pin: "12", pinAgain: "12" }, "USD")).toEqual({
      shopName: "setup.shopNameMissing",
      pin: "setup.ownerPinInvalid",
    });
    expect(checkSetup({ ...form, pin: "123456", pinAgain: "123456" }, "USD")).toEqual({
      pin: "setup.pinEasy",
    });
    expect(checkSetup({ ...form, pinAgain: "1" }, "USD")).toEqual({
      pinAgain: "setup.pinDiffers",
    });
  });

  it("proposes a reference rate that is at most seven days old", () => {
    const list = [{ currency: "GTQ", currencyDivisor: 100, rate: "7.66" }];
    const known = { asOf: "2026-01-15", list } as const;
    expect(proposedRate(known, "GTQ", Date.parse("2026-01-20T00:00:00Z"))).toBe("7.66");
    expect(proposedRate(known, "GTQ", Date.parse("2026-11-29T00:00:00Z"))).toBe("");
  });

  it("accepts a rate with a decimal comma, but not zero", () => {
    expect(cleanRate(" 7,75 ")).toBe("7.75");
    expect(isRate("7,75")).toBe(true);
    expect(isRate("0.00")).toBe(false);
    expect(isRate("7.7.5")).toBe(false);
  });

  it("requires a confirmation for a rate that is far from the reference rate", () => {
    expect(isFarRate("7,75", "7.7")).toBe(false);
    expect(isFarRate("23", "7.75")).toBe(false);
    expect(isFarRate("77.5", "7.75")).toBe(true);
    expect(isFarRate("0.775", "7.75")).toBe(true);
    expect(isFarRate("", "7.75")).toBe(false);
    expect(isFarRate("7.75", "")).toBe(false);
  });

  it("finds a currency regardless of case and accents", () => {
    expect(matchesWords("mexico", "peso mexicano (MXN) México")).toBe(true);
    expect(matchesWords("GUATEM", "quetzal (GTQ) Guatemala")).toBe(true);
    expect(matchesWords("peru", "quetzal (GTQ) Guatemala")).toBe(false);
  });
});
