import { describe, expect, it } from "vitest";
import { proposeShop, termsOfCountry, timeZoneChoices } from "./proposals.ts";

const CURRENCIES = ["AED", "EUR", "GTQ", "MXN", "USD", "XOF"];
const from = (timeZone: string | undefined, ...languages: string[]) =>
  proposeShop({ timeZone, languages }, CURRENCIES);

describe("what the first run proposes", () => {
  it("is the currency of the country whose time zone the browser has, and that zone", () => {
    expect(from("America/Guatemala", "en-US")).toEqual({
      country: "GT",
      currency: "GTQ",
      timeZone: "America/Guatemala",
    });
    expect(from("America/Mexico_City")).toMatchObject({ currency: "MXN" });
    expect(from("Asia/Dubai")).toMatchObject({ currency: "AED" });
  });

  it("knows currencies that are paid in many countries, or are no country's by their name", () => {
    expect(from("Europe/Madrid").currency).toBe("EUR");
    expect(from("Africa/Dakar").currency).toBe("XOF");
    expect(from("America/El_Salvador").currency).toBe("USD");
    expect(from("America/New_York").currency).toBe("USD");
  });

  it("takes the region of the language where the zone says no country, and then asks for the zone", () => {
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

  it("proposes no currency that a shop cannot keep", () => {
    expect(from("Asia/Tokyo")).toMatchObject({ currency: "", timeZone: "Asia/Tokyo" });
  });

  it("sets currency and time zone by country; of several zones, the one of the browser", () => {
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

  it("lists the zones that there are, and UTC for whoever means it", () => {
    const zones = timeZoneChoices();
    expect(zones).toContain("America/Guatemala");
    expect(zones.filter((zone) => zone === "UTC")).toHaveLength(1);
  });
});
