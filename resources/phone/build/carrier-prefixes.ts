import { join } from "node:path";
import { getCountries, getCountryCallingCode } from "libphonenumber-js";
import { RATES_FILE, TABLES_DIR } from "../../catalog/build/catalog.ts";
import { readTables } from "../../catalog/build/tables.ts";
import { keyed, readTable, TableError } from "../../lib/csv.ts";
import {
  dataVersion,
  type Network,
  type NetworkList,
  networkListVersion,
  plainName,
  readCarrierData,
  readNetworkList,
  soleCountryCodes,
} from "./source.ts";

/**
 * Returns the smallest table with the same results by longest-prefix match. Joins ten prefixes that
 * differ only in the last digit and have one result. Removes a prefix whose next shorter prefix has
 * the same result.
 */
export function collapse<Answer>(table: ReadonlyMap<string, Answer>): Map<string, Answer> {
  const compact = new Map(table);
  const longest = Math.max(...[...table.keys()].map((prefix) => prefix.length));
  for (let length = longest; length > 1; length -= 1) {
    const parents = new Set<string>();
    for (const prefix of compact.keys()) {
      if (prefix.length === length) parents.add(prefix.slice(0, -1));
    }
    for (const parent of parents) mergeSiblings(compact, parent);
  }
  for (const prefix of [...compact.keys()].sort((a, b) => b.length - a.length)) {
    if (lookUp(compact, prefix.slice(0, -1)) === compact.get(prefix)) compact.delete(prefix);
  }
  return compact;
}

export function lookUp<Answer>(
  table: ReadonlyMap<string, Answer>,
  digits: string,
): Answer | undefined {
  for (let length = digits.length; length > 0; length -= 1) {
    const answer = table.get(digits.slice(0, length));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function mergeSiblings<Answer>(table: Map<string, Answer>, parent: string): void {
  const answer = table.get(`${parent}0`);
  if (answer === undefined) return;
  for (let digit = 1; digit <= 9; digit += 1) {
    if (table.get(`${parent}${digit}`) !== answer) return;
  }
  for (let digit = 0; digit <= 9; digit += 1) table.delete(`${parent}${digit}`);
  table.set(parent, answer);
}

/** Main country of a calling code that several countries share. */
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

const NO_COUNTRY = "";
const UNKNOWN_HOST = "";
const NOBODY = "";
const phoneDir = join(import.meta.dirname, "..");
export const CARRIER_PREFIXES_FILE = join(phoneDir, "carrier-prefixes.json");

export interface Carrier {
  /**
   * Name in libphonenumber's data, or the virtual operator's own name; "" if the carrier closed.
   */
  name: string;
  /** Brand code; "" if the catalog does not sell the brand. */
  brand: string;
  /** ISO country of the numbers; "" for numbers without a country. */
  country: string;
  /**
   * Everyday name of the network. For a virtual operator it is the name of its host's network (""
   * if unknown).
   */
  knownAs: string;
  /** Codes of the network; "" if unknown. */
  mcc: string;
  mnc: string;
}

export interface CarrierPrefixes {
  generatedFrom: string;
  carriers: Carrier[];
  /** Mobile country codes (MCC) of countries that have only one. */
  mobileCountryCodes: Record<string, string>;
  /**
   * Index into `carriers`, by calling code and national prefix. The longest matching prefix
   * applies.
   */
  prefixes: Record<string, Record<string, number>>;
}

export function buildCarrierPrefixes(): CarrierPrefixes {
  const countryOf = countryFinder(join(phoneDir, "shared-calling-codes.csv"));
  const list = readNetworkList();
  const countryCodes = soleCountryCodes(list);
  const describer = carrierDescriber(list, countryCodes);
  const carriers: Carrier[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (carrier: Carrier) => {
    const key = JSON.stringify(carrier);
    const index = indexes.get(key) ?? carriers.push(carrier) - 1;
    indexes.set(key, index);
    return index;
  };

  const prefixes: CarrierPrefixes["prefixes"] = {};
  for (const [callingCode, names] of readCarrierData()) {
    const table = new Map<string, number>();
    for (const [national, name] of names) {
      const country = countryOf(callingCode, national);
      table.set(national, indexOf(describer.describe(name, country, national)));
    }
    prefixes[callingCode] = Object.fromEntries([...collapse(table)].sort(byPrefix));
  }
  const [unused] = describer.unused();
  if (unused !== undefined) throw new Error(`${unused} is not a carrier of the data`);
  return {
    generatedFrom: `${dataVersion()}, ${networkListVersion()}`,
    carriers,
    mobileCountryCodes: Object.fromEntries([...countryCodes].sort(byPrefix)),
    prefixes,
  };
}

function carrierDescriber(list: NetworkList, countryCodes: ReadonlyMap<string, string>) {
  const soldBrands = brandsByCountry();
  const brands = brandFinder(join(phoneDir, "carrier-aliases.csv"), soldBrands);
  const networks = networkFinder(
    join(phoneDir, "carrier-networks.csv"),
    join(phoneDir, "virtual-operators.csv"),
    list,
  );
  const closed = readClosedCarriers(join(phoneDir, "closed-carriers.csv"));
  const unusedClosed = new Map(closed);
  function describe(name: string, country: string, national: string): Carrier {
    const mcc = countryCodes.get(country) ?? "";
    if (closed.has(`${country} ${name}`)) {
      unusedClosed.delete(`${country} ${name}`);
      return { name: NOBODY, brand: "", country, knownAs: "", mcc, mnc: "" };
    }
    const brand = brands.brandOf(country, name, national);
    const virtual = networks.virtualOf(country, name, national);
    if (virtual !== undefined) {
      const seller = { name: virtual.name === "" ? name : virtual.name, brand };
      const { host } = virtual;
      if (host === UNKNOWN_HOST) return { ...seller, country, knownAs: "", mcc, mnc: "" };
      const network = describe(host, country, "");
      if (network.mnc === "") throw new Error(`${name} (${country}): ${host} has no network`);
      return { ...network, ...seller };
    }
    const brandName = soldBrands.get(country)?.get(brand);
    const names = brandName === undefined ? [name] : [name, brandName];
    const { network, knownAs } = networks.networkOf(country, names, national);
    return {
      name,
      brand,
      country,
      knownAs: knownAs || (brandName ?? name),
      mcc: network?.mcc ?? mcc,
      mnc: network?.mnc ?? "",
    };
  }
  return {
    describe,
    unused: () => [
      ...brands.unused(),
      ...networks.unused(),
      ...[...unusedClosed].map(([carrier, at]) => `${at}: ${carrier}`),
    ],
  };
}

export function carrierPrefixesText(data: CarrierPrefixes): string {
  const carriers = data.carriers.map((carrier) => `    ${JSON.stringify(carrier)}`);
  const prefixes = Object.entries(data.prefixes).map(
    ([callingCode, table]) => `    ${JSON.stringify(callingCode)}: ${JSON.stringify(table)}`,
  );
  return [
    "{",
    `  "generatedFrom": ${JSON.stringify(data.generatedFrom)},`,
    `  "carriers": [\n${carriers.join(",\n")}\n  ],`,
    `  "mobileCountryCodes": ${JSON.stringify(data.mobileCountryCodes)},`,
    `  "prefixes": {\n${prefixes.join(",\n")}\n  }`,
    "}\n",
  ].join("\n");
}

function brandsByCountry(): Map<string, Map<string, string>> {
  const brands = new Map<string, Map<string, string>>();
  const { operators, changes } = readTables(TABLES_DIR, RATES_FILE);
  for (const { country, brand, regions } of operators) {
    if (changes.endOf(country.country, brand.brand) !== undefined) continue;
    // Satellite numbers belong to no country.
    const place = regions.includes("Global") ? NO_COUNTRY : country.country;
    const known = brands.get(place) ?? new Map<string, string>();
    brands.set(place, known.set(brand.brand, brand.brandName));
  }
  return brands;
}

function byPrefix([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

interface Alias {
  readonly at: string;
  readonly country: string;
  readonly carrier: string;
  readonly prefixes: readonly string[];
  readonly brand: string;
}

interface BrandFinder {
  brandOf(country: string, carrier: string, national: string): string;
  /** Returns aliases that match no number: they are misspelt, or no longer in the data. */
  unused(): string[];
}

function brandFinder(
  aliasFile: string,
  brandsByCountry: ReadonlyMap<string, ReadonlyMap<string, string>>,
): BrandFinder {
  const aliases = new Map<string, Alias[]>();
  for (const alias of readAliases(aliasFile)) {
    const isSold = brandsByCountry.get(alias.country)?.has(alias.brand) === true;
    // Numbers with these prefixes belong to no brand, although the carrier's other numbers do.
    const isNobodys = alias.brand === "" && alias.prefixes.length > 0;
    if (!isSold && !isNobodys) {
      throw new TableError(alias.at, `the catalog has no ${alias.brand} in ${alias.country}`);
    }
    const key = `${alias.country} ${alias.carrier}`;
    aliases.set(key, [...(aliases.get(key) ?? []), alias]);
  }
  const unused = new Set([...aliases.values()].flat());
  return {
    brandOf(country, carrier, national) {
      const candidates = aliases.get(`${country} ${carrier}`) ?? [];
      const alias =
        candidates.find(({ prefixes }) => prefixes.some((prefix) => national.startsWith(prefix))) ??
        candidates.find(({ prefixes }) => prefixes.length === 0);
      if (alias === undefined) return "";
      unused.delete(alias);
      return alias.brand;
    },
    unused: () => [...unused].map(({ at, country, carrier }) => `${at}: ${country} "${carrier}"`),
  };
}

function readAliases(path: string): Alias[] {
  return readTable(path, ["country", "carrier", "prefixes", "brand"]).map(({ at, cells }) => ({
    at,
    ...cells,
    prefixes: cells.prefixes === "" ? [] : cells.prefixes.split(" "),
  }));
}

/** Returns the country of a number; "" for numbers without a country, such as satellite numbers. */
type CountryOf = (callingCode: string, national: string) => string;

function countryFinder(sharedCodesFile: string): CountryOf {
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

interface NamedNetwork {
  readonly at: string;
  readonly country: string;
  readonly carrier: string;
  readonly prefixes: readonly string[];
  readonly network: Network;
  readonly knownAs: string;
}

interface VirtualOperator {
  readonly at: string;
  readonly carrier: string;
  readonly prefixes: readonly string[];
  /** Carrier whose network the operator uses; "" if unknown. */
  readonly host: string;
  /** The operator's own name. Stated only if the data contains its host's name instead. */
  readonly name: string;
}

interface CarrierNetwork {
  network: Network | undefined;
  /** "" if only the carrier's own name is known. */
  knownAs: string;
}

interface NetworkFinder {
  /** @param names the carrier's name in the data, followed by its other names */
  networkOf(country: string, names: readonly string[], national: string): CarrierNetwork;
  /** Returns the virtual operator of a number; undefined for operators with their own network. */
  virtualOf(country: string, carrier: string, national: string): VirtualOperator | undefined;
  unused(): string[];
}

/**
 * Finds the network of a carrier in the project's table, otherwise by name in the list of networks.
 * Networks in service have precedence.
 */
function networkFinder(
  networksFile: string,
  virtualFile: string,
  list: NetworkList,
): NetworkFinder {
  const named = readNamed(networksFile, list);
  const virtual = readVirtual(virtualFile);
  const unused = new Map<object, string>();
  for (const row of named) unused.set(row, `${row.at}: ${row.country} "${row.carrier}"`);
  for (const [key, rows] of virtual) for (const row of rows) unused.set(row, `${row.at}: ${key}`);
  return {
    networkOf(country, names, national) {
      const rows = named.filter((row) => row.country === country && row.carrier === names[0]);
      const row = forNumber(rows, national);
      if (row === undefined) {
        return { network: findByName(list.get(country) ?? [], names), knownAs: "" };
      }
      unused.delete(row);
      return row;
    },
    virtualOf(country, carrier, national) {
      const rows = virtual.get(`${country} ${carrier}`) ?? [];
      const row = forNumber(rows, national);
      if (row !== undefined) unused.delete(row);
      return row;
    },
    unused: () => [...unused.values()],
  };
}

/**
 * Returns the row for a number. A row with the number's prefix has precedence over a row for all
 * numbers.
 */
function forNumber<Row extends { readonly prefixes: readonly string[] }>(
  rows: readonly Row[],
  national: string,
): Row | undefined {
  return (
    rows.find(({ prefixes }) => prefixes.some((prefix) => national.startsWith(prefix))) ??
    rows.find(({ prefixes }) => prefixes.length === 0)
  );
}

function findByName(networks: readonly Network[], names: readonly string[]): Network | undefined {
  for (const inService of [true, false]) {
    for (const name of names.map(plainName)) {
      const found = networks.find((n) => n.inService === inService && n.names.has(name));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function readNamed(file: string, list: NetworkList): NamedNetwork[] {
  const columns = ["country", "carrier", "prefixes", "network", "knownAs"] as const;
  return readTable(file, columns).map(({ at, cells }) => {
    const { country, carrier, prefixes, knownAs } = cells;
    const network = list.get(country)?.find(({ mcc, mnc }) => `${mcc}-${mnc}` === cells.network);
    if (network === undefined) {
      throw new TableError(at, `the list has no network ${cells.network} in "${country}"`);
    }
    return {
      at,
      country,
      carrier,
      prefixes: prefixesOf(prefixes),
      network,
      knownAs,
    };
  });
}

function readVirtual(file: string): Map<string, VirtualOperator[]> {
  const operators = new Map<string, VirtualOperator[]>();
  const columns = ["country", "carrier", "prefixes", "host", "name"] as const;
  for (const { at, cells } of readTable(file, columns)) {
    const key = `${cells.country} ${cells.carrier}`;
    const row = { at, ...cells, prefixes: prefixesOf(cells.prefixes) };
    operators.set(key, [...(operators.get(key) ?? []), row]);
  }
  return operators;
}

/** Keys: `country name`. */
function readClosedCarriers(file: string): Map<string, string> {
  const rows = readTable(file, ["country", "carrier"]);
  return keyed(rows, ({ at, cells }) => [`${cells.country} ${cells.carrier}`, at]);
}

function prefixesOf(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
