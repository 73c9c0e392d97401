import { getCountries, isSupportedCountry } from "libphonenumber-js/max";

/** Paid in more countries than the one that it is named after. */
const SHARED_CURRENCIES = new Set(["USD", "AUD", "NZD", "GBP", "CHF", "DKK", "NOK", "ILS", "ZAR"]);

/** Every engine of ours has it, not yet the language's own description. */
interface LocaleWithZones {
  getTimeZones?(): string[] | undefined;
}

/**
 * Where the shop is, as what the owner has set says: the two letters a currency begins with are
 * its country's; where they are no country's, as in EUR and XOF, or where others pay in it too, the
 * country of the shop's time zone.
 *
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
