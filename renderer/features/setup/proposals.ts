import { findTimeZone, machineTimeZone } from "../../../server/contract/pos/shop-day.ts";

/** Countries by currency, for currencies whose code need not start with the country's code. */
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
  /** IANA name; empty if the person has to choose. */
  readonly timeZone: string;
}

/** Matches zones without a location. A machine without a time zone setting reports UTC. */
const NO_PLACE = /^(?:UTC|GMT|Etc\/.*|Universal|Zulu|UCT|Greenwich)$/i;

/** Returns the time zone and languages that the browser reports. */
export function browserSurroundings(): Surroundings {
  return { timeZone: machineTimeZone(), languages: navigator.languages };
}

/**
 * Proposes currency and time zone from the browser: by the country of its time zone, otherwise by
 * the region of its language. Never proposes a zone without a location: a shop that counts its days
 * in UTC has to choose UTC.
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
 * Returns currency and time zone of a country: this browser's zone if the country has it, otherwise
 * the country's only zone. A value is empty if the country has several zones, or if the shop cannot
 * use the currency.
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

/** UTC is the last choice. */
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

/** Browsers have one of these two properties; TypeScript's types have neither. */
interface LocaleWithZones {
  readonly timeZones?: string[];
  getTimeZones?(): string[] | undefined;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

/** Returns undefined if the browser assigns the zone to no country. */
function countryOfZone(zone: string): string | undefined {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.find((code) => zonesOf(code).includes(zone));
}

function zonesOf(country: string): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale(`und-${country}`) as LocaleWithZones;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/**
 * The first two letters of most currency codes are the country's. Other currencies are in a table.
 * @param country ISO 3166-1 alpha-2
 * @param currencies to choose from, ISO 4217
 */
function countryCurrency(country: string, currencies: readonly string[]): string | undefined {
  const shared = BY_COUNTRY.get(country);
  if (shared !== undefined) return currencies.includes(shared) ? shared : undefined;
  return currencies.find((currency) => currency.startsWith(country));
}
