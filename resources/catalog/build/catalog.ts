import { join } from "node:path";
import { refuseDuplicates, refuseUnknownDisabled, refuseUnusedBrands } from "./offers.ts";
import { type BrandRow, readTables, type Tables } from "./tables.ts";
import { topupOffers } from "./topups.ts";
import type { Brand, TopupOffer } from "./types.ts";

const here = import.meta.dirname;
export const TABLES_DIR = join(here, "..", "tables");
export const RATES_FILE = join(here, "..", "..", "rates", "reference-rates.json");
export const CATALOG_FILE = join(here, "..", "sandbox.json");

export interface Catalog {
  brands: Brand[];
  topups: TopupOffer[];
  vouchers: unknown[];
  esim: unknown[];
  billpay: unknown[];
  promos: unknown[];
}

export function buildCatalog(): Catalog {
  return catalogOf(readTables(TABLES_DIR, RATES_FILE));
}

export function catalogOf(tables: Tables): Catalog {
  const catalog: Catalog = {
    brands: tables.brands.map(brandDetail),
    topups: topupOffers(tables),
    vouchers: [],
    esim: [],
    billpay: [],
    promos: [],
  };
  const offers = [...catalog.topups];
  refuseDuplicates(offers);
  refuseUnknownDisabled(offers, tables);
  refuseUnusedBrands(offers, tables);
  return catalog;
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
