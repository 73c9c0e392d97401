import { describe, expect, it } from "vitest";
import { proposeShop, termsOfCountry, timeZoneChoices } from "./proposals.ts";

const CURRENCIES = ["AED", "EUR", "GTQ", "MXN", "USD", "XOF"];
const from = (timeZone: string | undefined, ...languages: string[]) =>
  proposeShop({ timeZone, languages }, CURRENCIES);

describe("first-run proposals", () => {
  it("contain the browser's time zone and the currency of its country", () => {
    expect(from("America/Guatemala", "en-US")).toEqual({
      country: "GT",
      currency: "GTQ",
      timeZone: "America/Guatemala",
    });
    expect(from("America/Mexico_City")).toMatchObject({ currency: "MXN" });
    expect(from("Asia/Dubai")).toMatchObject({ currency: "AED" });
  });

  it("contain shared currencies, and currencies that are not named after their country", () => {
    expect(from("Europe/Madrid").currency).toBe("EUR");
    expect(from("Africa/Dakar").currency).toBe("XOF");
    expect(from("America/El_Salvador").currency).toBe("USD");
    expect(from("America/New_York").currency).toBe("USD");
  });

  it("contain the currency of the language's region but no zone, if the browser's zone has no country", () => {
    for (const silent of ["UTC", "Etc/UTC", "Etc/GMT", "GMT", undefined, "Nowhere/Else"]) {
      expect(from(silent, "es", "es-GT")).toEqual({
        country: "GT",
        currency: "GTQ",
        timeZone: "",
      });
    }
    expect(from("UTC", "en")).toEqual({ country: "", currency: "", timeZone: "" });
    expect(from("UTC", "en-US@posix")).toEqual({ country: "", currency: "", timeZone: "" });
  });

  it("never contain a currency that the shop cannot use", () => {
    expect(from("Asia/Tokyo")).toMatchObject({ currency: "", timeZone: "Asia/Tokyo" });
  });

  it("contain currency and zone of the chosen country, and the browser's zone if there are several", () => {
    const terms = (country: string, timeZone?: string) =>
      termsOfCountry(country, { timeZone }, CURRENCIES);
    expect(terms("GT")).toEqual({ currency: "GTQ", timeZone: "America/Guatemala" });
    expect(terms("MX", "America/Tijuana")).toEqual({
      currency: "MXN",
      timeZone: "America/Tijuana",
    });
    expect(terms("MX", "Europe/Madrid")).toEqual({ currency: "MXN", timeZone: "" });
    expect(terms("JP")).toEqual({ currency: "", timeZone: "Asia/Tokyo" });
  });

  it("list all zones, with UTC at the end", () => {
    const zones = timeZoneChoices();
    expect(zones).toContain("America/Guatemala");
    expect(zones.filter((zone) => zone === "UTC")).toHaveLength(1);
  });
});
