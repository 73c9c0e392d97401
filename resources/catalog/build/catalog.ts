import { join } from "node:path";
import { billOffers } from "./billpay.ts";
import { esimOffers } from "./esim.ts";
import { refuseDuplicates, refuseUnknownDisabled, refuseUnusedBrands } from "./offers.ts";
import { type BrandRow, readTables } from "./tables.ts";
import { topupOffers } from "./topups.ts";
import type { BillOffer, Brand, EsimOffer, TopupOffer } from "./types.ts";

const here = import.meta.dirname;
export const TABLES_DIR = join(here, "..", "tables");
export const RATES_FILE = join(here, "..", "..", "rates", "reference-rates.json");
export const CATALOG_FILE = join(here, "..", "sandbox.json");

export interface Catalog {
  brands: Brand[];
  topups: TopupOffer[];
  vouchers: unknown[];
  esim: EsimOffer[];
  billpay: BillOffer[];
  promos: unknown[];
}

export function buildCatalog(): Catalog {
  return catalogFrom(TABLES_DIR);
}

/** The catalog that the tables of a directory give. */
export function catalogFrom(tablesDir: string): Catalog {
  const tables = readTables(tablesDir, RATES_FILE);
  const catalog: Catalog = {
    brands: tables.brands.map(brandDetail),
    topups: topupOffers(tables),
    vouchers: [],
    esim: esimOffers(tables, tablesDir),
    billpay: billOffers(tables, tablesDir),
    promos: [],
  };
  const offers = offersOf(catalog);
  refuseDuplicates(offers);
  refuseUnknownDisabled(offers, tables);
  refuseUnusedBrands(offers, tables);
  return catalog;
}

/** The offers of every product family. */
export function offersOf({ topups, esim, billpay }: Catalog) {
  return [...topups, ...esim, ...billpay];
}

/** JSON with one record per line, so that a change of one offer is a diff of one line. */
export function catalogText(catalog: Catalog): string {
  const families = Object.entries(catalog).map(([name, records]: [string, unknown[]]) => {
    const lines = records.map((record) => `\n    ${JSON.stringify(record)}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${families.join(",\n")}\n}\n`;
}

function brandDetail({ brand, brandName, brandColor, description }: BrandRow): Brand {
  return {
    brand,
    brandName,
    brandBigImage: "",
    brandColor,
    brandGiftImage: "",
    brandInfoPdf: "",
    brandLogo: "",
    brandLogoExtension: "",
    description,
    inputMasks: [],
    redemptionInstructions: [],
    requiredFieldsLabels: [],
  };
}
