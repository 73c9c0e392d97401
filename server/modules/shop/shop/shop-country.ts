import { getCountries, isSupportedCountry } from "libphonenumber-js/max";

/** Currencies that are paid in more countries than the one they are named after. */
const SHARED_CURRENCIES = new Set(["USD", "AUD", "NZD", "GBP", "CHF", "DKK", "NOK", "ILS", "ZAR"]);

/** Every engine of ours has it, not yet the language's own description. */
interface LocaleWithZones {
  getTimeZones?(): string[] | undefined;
}

/**
 * The shop's country, from its settings: the country of the first two letters of its currency; where
 * these are no country's, as in EUR and XOF, or where other countries pay in it too, the country of its
 * time zone.
 * @returns ISO 3166-1 alpha-2, or empty where neither says it
 */
export function shopCountry(currency: string, timeZone: string): string {
  const ofCurrency = currency.slice(0, 2);
  const isCountry = isSupportedCountry(ofCurrency);
  if (isCountry && !SHARED_CURRENCIES.has(currency)) {
    return ofCurrency;
  }
  return countryOfZone(timeZone) ?? (isCountry ? ofCurrency : "");
}

/** Every zone is of one country. Made when it is first asked for: that takes a moment. */
let countries: ReadonlyMap<string, string> | undefined;

function countryOfZone(timeZone: string): string | undefined {
  countries ??= new Map(
    getCountries().flatMap((country) => zonesOf(country).map((zone) => [zone, country] as const)),
  );
  return countries.get(timeZone);
}

function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & LocaleWithZones;
  return locale.getTimeZones?.() ?? [];
}
