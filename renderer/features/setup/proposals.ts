import { findTimeZone, machineTimeZone } from "../../../server/contract/pos/shop-day.ts";

/** Countries that pay in a currency which is not named after them. */
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

/** What a browser says of where it is. */
interface Surroundings {
  readonly timeZone: string | undefined;
  readonly languages: readonly string[];
}

export interface Proposal {
  /** ISO 3166-1 alpha-2; empty where nothing says it. */
  readonly country: string;
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
  return { country: country ?? "", currency: currency ?? "", timeZone: zone ?? "" };
}

/**
 * The currency and the time zone of a country: the zone of this browser where it is one of the country's, otherwise
 * the country's only zone. Empty where there are several, or the shop cannot keep the currency.
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

/**
 * What people of a country pay in: the two letters a currency begins with are its country's, and
 * others share one.
 * @param country ISO 3166-1 alpha-2
 * @param currencies to choose from, ISO 4217
 */
function countryCurrency(country: string, currencies: readonly string[]): string | undefined {
  const shared = BY_COUNTRY.get(country);
  if (shared !== undefined) return currencies.includes(shared) ? shared : undefined;
  return currencies.find((currency) => currency.startsWith(country));
}
