import { findTimeZone, machineTimeZone } from "../../../server/contract/pos/shop-day.ts";

/**
 * Countries of currencies that several countries share, or whose code does not start with the
 * country's code.
 */
const SHARED: Readonly<Record<string, string>> = {
  AUD: "AU KI NR TV CX CC NF",
  CHF: "CH LI",
  DKK: "DK FO GL",
  EUR: "AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT",
  GBP: "GB GG IM JE",
  ILS: "IL PS",
  MAD: "MA EH",
  NOK: "NO SJ",
  NZD: "NZ CK NU PN TK",
  USD: "US AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI",
  XAF: "CF CG CM GA GQ TD",
  XCD: "AG AI DM GD KN LC MS VC",
  XCG: "CW SX",
  XOF: "BF BJ CI GW ML NE SN TG",
  XPF: "NC PF WF",
};

const BY_COUNTRY = new Map(
  Object.entries(SHARED).flatMap(([currency, countries]) =>
    countries.split(" ").map((country) => [country, currency] as const),
  ),
);

interface Surroundings {
  readonly timeZone: string | undefined;
  readonly languages: readonly string[];
}

export interface Proposal {
  /** ISO 3166-1 alpha-2; empty if unknown. */
  readonly country: string;
  /** Empty if unknown, or if the shop cannot use the currency. */
  readonly currency: string;
  /** IANA name. Empty if the person must choose. */
  readonly timeZone: string;
}

/** Zones without a location. A machine without a configured time zone reports UTC. */
const NO_PLACE = /^(?:UTC|GMT|Etc\/.*|Universal|Zulu|UCT|Greenwich)$/i;

export function browserSurroundings(): Surroundings {
  return { timeZone: machineTimeZone(), languages: navigator.languages };
}

/**
 * Proposes currency and time zone by the browser's time zone, or else by the region of its
 * language. Never proposes a zone without a location: only a person can choose UTC.
 * @param currencies currencies that a shop can use
 */
export function proposeShop(
  { timeZone, languages }: Surroundings,
  currencies: readonly string[],
): Proposal {
  const zone =
    timeZone === undefined || NO_PLACE.test(timeZone) ? undefined : findTimeZone(timeZone);
  const country = (zone && countryOfZone(zone)) ?? regionOf(languages);
  const currency = country === undefined ? undefined : countryCurrency(country, currencies);
  return { country: country ?? "", currency: currency ?? "", timeZone: zone ?? "" };
}

/**
 * Proposes a country's currency and time zone. The zone is the browser's zone if the country has
 * it, or else the country's only zone; it is empty if there are several. The currency is empty if
 * the shop cannot use it.
 */
export function termsOfCountry(
  country: string,
  { timeZone }: Pick<Surroundings, "timeZone">,
  currencies: readonly string[],
): Pick<Proposal, "currency" | "timeZone"> {
  const zones = zonesOf(country);
  const own = zones.find((zone) => zone === timeZone);
  const [first] = zones;
  return {
    currency: countryCurrency(country, currencies) ?? "",
    timeZone: own ?? (zones.length === 1 ? (first ?? "") : ""),
  };
}

/** Returns the time zones that have a location, and UTC as the last. */
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

/** Browsers have one of these properties. TypeScript's types lack both. */
interface LocaleWithZones {
  readonly timeZones?: string[];
  getTimeZones?(): string[] | undefined;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

/** Returns the country of a zone; undefined if the browser assigns none. */
function countryOfZone(zone: string): string | undefined {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.find((code) => zonesOf(code).includes(zone));
}

function zonesOf(country: string): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale(`und-${country}`) as LocaleWithZones;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/**
 * Returns the currency of a country. Most currency codes start with the country's code; `SHARED`
 * contains the others.
 * @param country ISO 3166-1 alpha-2
 * @param currencies allowed currencies, ISO 4217
 */
function countryCurrency(country: string, currencies: readonly string[]): string | undefined {
  const shared = BY_COUNTRY.get(country);
  if (shared !== undefined) return currencies.includes(shared) ? shared : undefined;
  return currencies.find((currency) => currency.startsWith(country));
}
