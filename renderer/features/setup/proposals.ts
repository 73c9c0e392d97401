import { findTimeZone, machineTimeZone } from "../../../server/contract/pos/shop-day.ts";
import { countryCurrency } from "./country-currency.ts";

/** What a browser says of where it is. */
interface Surroundings {
  readonly timeZone: string | undefined;
  readonly languages: readonly string[];
}

export interface Proposal {
  /** Empty where nothing says it, or the shop cannot keep it. */
  readonly currency: string;
  /** IANA name; empty where it has to be asked for. */
  readonly timeZone: string;
}

/** UTC is no place's zone: it is what a machine without a setting has. */
const NO_PLACE = /^(?:UTC|GMT|Etc\/.*|Universal|Zulu|UCT|Greenwich)$/i;

/** The country and zone that this browser reports. */
export function browserSurroundings(): Surroundings {
  return { timeZone: machineTimeZone(), languages: navigator.languages };
}

/**
 * Currency and time zone of the shop, as far as the browser tells them: by the country of its time
 * zone, else by the region of its language. A zone that is no place's is never proposed: who counts
 * the shop's day by UTC has chosen it.
 * @param currencies that a shop can keep
 */
export function proposeShop(
  { timeZone, languages }: Surroundings,
  currencies: readonly string[],
): Proposal {
  const zone =
    timeZone === undefined || NO_PLACE.test(timeZone) ? undefined : findTimeZone(timeZone);
  const country = (zone && countryOfZone(zone)) ?? regionOf(languages);
  const currency = country === undefined ? undefined : countryCurrency(country, currencies);
  return { currency: currency ?? "", timeZone: zone ?? "" };
}

/** All zones that can be chosen; UTC is the last. */
export function timeZoneChoices(): string[] {
  return [...Intl.supportedValuesOf("timeZone").filter((zone) => !NO_PLACE.test(zone)), "UTC"];
}

function regionOf(languages: readonly string[]): string | undefined {
  return languages.map(regionOfTag).find((region) => region !== undefined);
}

function regionOfTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}

/** Every engine of ours has one of them, not yet the language's own description. */
interface LocaleWithZones {
  readonly timeZones?: string[];
  getTimeZones?(): string[] | undefined;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

/** Every zone is of one country; a zone that the engine files under none has no country. */
function countryOfZone(zone: string): string | undefined {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.find((code) => zonesOf(code).includes(zone));
}

function zonesOf(country: string): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale(`und-${country}`) as LocaleWithZones;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}
