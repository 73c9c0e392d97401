import { join } from "node:path";
import { RATES_FILE, TABLES_DIR } from "../../catalog/build/catalog.ts";
import { readTables } from "../../catalog/build/tables.ts";
import { brandFinder } from "./aliases.ts";
import { collapse } from "./collapse.ts";
import { countryFinder } from "./countries.ts";
import { dataVersion, readCarrierData } from "./source.ts";

const NO_COUNTRY = "";
const phoneDir = join(import.meta.dirname, "..");
export const CARRIER_PREFIXES_FILE = join(phoneDir, "carrier-prefixes.json");

export interface Carrier {
  /** The carrier's name in the data. */
  name: string;
  /** Our brand code, "" when the catalog does not sell it. */
  brand: string;
  /** ISO country of the numbers, "" for numbers that belong to none. */
  country: string;
}

export interface CarrierPrefixes {
  generatedFrom: string;
  carriers: Carrier[];
  /** By calling code and national prefix, an index into `carriers`; the longest prefix wins. */
  prefixes: Record<string, Record<string, number>>;
}

export function buildCarrierPrefixes(): CarrierPrefixes {
  const countryOf = countryFinder(join(phoneDir, "shared-calling-codes.csv"));
  const brands = brandFinder(join(phoneDir, "carrier-aliases.csv"), brandsByCountry());
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
      const brand = brands.brandOf(country, name, national);
      table.set(national, indexOf({ name, brand, country }));
    }
    prefixes[callingCode] = Object.fromEntries([...collapse(table)].sort(byPrefix));
  }
  const [unused] = brands.unused();
  if (unused !== undefined) throw new Error(`${unused} is not a carrier of the data`);
  return { generatedFrom: dataVersion(), carriers, prefixes };
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
    `  "prefixes": {\n${prefixes.join(",\n")}\n  }`,
    "}\n",
  ].join("\n");
}

function brandsByCountry(): Map<string, Set<string>> {
  const brands = new Map<string, Set<string>>();
  for (const { country, brand, regions } of readTables(TABLES_DIR, RATES_FILE).operators) {
    // Satellite numbers belong to no country, wherever their operator is at home.
    const place = regions.includes("Global") ? NO_COUNTRY : country.country;
    const known = brands.get(place) ?? new Set<string>();
    brands.set(place, known.add(brand.brand));
  }
  return brands;
}

function byPrefix([a]: [string, number], [b]: [string, number]): number {
  return a < b ? -1 : 1;
}
