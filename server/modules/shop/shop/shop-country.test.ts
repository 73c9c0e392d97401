import { expect, it } from "vitest";
import { shopCountry } from "./shop-store.ts";

it.each([
  ["GTQ", "America/Guatemala", "GT"],
  // The machine may have the time zone of another country.
  ["GTQ", "America/Mexico_City", "GT"],
  ["GTQ", "UTC", "GT"],
  ["USD", "America/El_Salvador", "SV"],
  ["USD", "America/New_York", "US"],
  ["USD", "UTC", "US"],
  ["EUR", "Europe/Madrid", "ES"],
  ["EUR", "UTC", ""],
  ["XOF", "Africa/Dakar", "SN"],
  ["GBP", "Europe/London", "GB"],
  ["", "Etc/GMT+3", ""],
])("a shop with the currency %j and the time zone %s is in %j", (currency, timeZone, country) => {
  expect(shopCountry(currency, timeZone)).toBe(country);
});
