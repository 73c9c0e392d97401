import { join } from "node:path";
import { RATES_FILE, TABLES_DIR } from "../../catalog/build/catalog.ts";
import { readTables } from "../../catalog/build/tables.ts";
import { brandFinder } from "./aliases.ts";
import { collapse } from "./collapse.ts";
import { countryFinder } from "./countries.ts";
import {
  type NetworkList,
  networkListVersion,
  readNetworkList,
  soleCountryCodes,
} from "./network-list.ts";
import { networkFinder, readClosedCarriers } from "./networks.ts";
import { dataVersion, readCarrierData } from "./source.ts";

const NO_COUNTRY = "";
const UNKNOWN_HOST = "";
const NOBODY = "";
const phoneDir = join(import.meta.dirname, "..");
export const CARRIER_PREFIXES_FILE = join(phoneDir, "carrier-prefixes.json");

export interface Carrier {
  /** The carrier's name in the data, or a virtual operator's own; "" where the carrier closed. */
  name: string;
  /** Our brand code, "" when the catalog does not sell it. */
  brand: string;
  /** ISO country of the numbers, "" for numbers that belong to none. */
  country: string;
  /** What people call the network; of a virtual operator, its host's, "" when that is not known. */
  knownAs: string;
  /** Mobile country code and mobile network code of that network, "" when not known. */
  mcc: string;
  mnc: string;
}

export interface CarrierPrefixes {
  generatedFrom: string;
  carriers: Carrier[];
  /** The mobile country code of each country that has one only. */
  mobileCountryCodes: Record<string, string>;
  /** By calling code and national prefix, an index into `carriers`; the longest prefix wins. */
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

/** Tells the brand and the network of a carrier of the data, for a number of a country. */
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

/** JSON with one carrier and one calling code per line. */
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

/** Names of the brands that the catalog sells and the market still has, by country and code. */
function brandsByCountry(): Map<string, Map<string, string>> {
  const brands = new Map<string, Map<string, string>>();
  const { operators, changes } = readTables(TABLES_DIR, RATES_FILE);
  for (const { country, brand, regions } of operators) {
    if (changes.endOf(country.country, brand.brand) !== undefined) continue;
    // Satellite numbers belong to no country, wherever their operator is at home.
    const place = regions.includes("Global") ? NO_COUNTRY : country.country;
    const known = brands.get(place) ?? new Map<string, string>();
    brands.set(place, known.set(brand.brand, brand.brandName));
  }
  return brands;
}

function byPrefix([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
