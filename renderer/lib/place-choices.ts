import { getCountries } from "libphonenumber-js/min";

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Every country that numbers are of, in the reader's words and order. */
export function countryChoices(nameOf: (code: string) => string, locale: string): Choice[] {
  return getCountries()
    .map((code) => ({ value: code, label: nameOf(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}

/** Every time zone, with the one in use where the browser does not know it. */
export function timeZoneChoices(current: string): Choice[] {
  const zones = new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
}
