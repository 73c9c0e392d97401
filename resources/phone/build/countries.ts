import { getCountries, getCountryCallingCode } from "libphonenumber-js";
import { readTable } from "../../lib/csv.ts";
import { lookUp } from "./collapse.ts";

/** The country of most numbers of a calling code that several countries share. */
const MAIN_COUNTRY: Readonly<Record<string, string>> = {
  1: "US",
  7: "RU",
  39: "IT",
  44: "GB",
  47: "NO",
  61: "AU",
  212: "MA",
  262: "RE",
  290: "SH",
  358: "FI",
  590: "GP",
  599: "CW",
};

/** Tells the country of a number; "" where no country has it, as with satellite telephones. */
export type CountryOf = (callingCode: string, national: string) => string;

export function countryFinder(sharedCodesFile: string): CountryOf {
  const main = mainCountries();
  const shared = new Map<string, string>();
  for (const { cells } of readTable(sharedCodesFile, ["callingCode", "prefixes", "country"])) {
    for (const prefix of cells.prefixes.split(" ")) {
      shared.set(`${cells.callingCode}${prefix}`, cells.country);
    }
  }
  return (callingCode, national) =>
    lookUp(shared, `${callingCode}${national}`) ?? main.get(callingCode) ?? "";
}

function mainCountries(): Map<string, string> {
  const main = new Map<string, string>();
  for (const country of getCountries()) {
    const callingCode = getCountryCallingCode(country);
    const known = MAIN_COUNTRY[callingCode];
    if (known === undefined && main.has(callingCode)) {
      throw new Error(`calling code ${callingCode} is shared and its main country is not given`);
    }
    main.set(callingCode, known ?? country);
  }
  return main;
}
