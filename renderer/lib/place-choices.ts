import { getCountries } from "libphonenumber-js/min";

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Lists every country of the phone number plan, named and sorted in the reader's language. */
export function countryChoices(nameOf: (code: string) => string, locale: string): Choice[] {
  return getCountries()
    .map((code) => ({ value: code, label: nameOf(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}

/** Lists every time zone, including the current zone even if the browser does not know it. */
export function timeZoneChoices(current: string): Choice[] {
  const zones = new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
}
