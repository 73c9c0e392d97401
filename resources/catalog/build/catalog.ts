import { join } from "node:path";
import { billOffers } from "./billpay.ts";
import { brandDetails } from "./brand-details.ts";
import { esimOffers } from "./esim.ts";
import { refuseDuplicates, refuseUnknownDisabled, usedBrands } from "./offers.ts";
import { promosOf } from "./promos.ts";
import { readTables } from "./tables.ts";
import { topupOffers } from "./topups.ts";
import type { BillOffer, Brand, EsimOffer, Promo, TopupOffer, VoucherOffer } from "./types.ts";
import { readVoucherSales, voucherOffers } from "./vouchers.ts";

const here = import.meta.dirname;
export const TABLES_DIR = join(here, "..", "tables");
export const RATES_FILE = join(here, "..", "..", "rates", "reference-rates.json");
export const CATALOG_FILE = join(here, "..", "sandbox.json");

export interface Catalog {
  brands: Brand[];
  topups: TopupOffer[];
  vouchers: VoucherOffer[];
  esim: EsimOffer[];
  billpay: BillOffer[];
  promos: Promo[];
}

export function buildCatalog(): Catalog {
  return catalogFrom(TABLES_DIR);
}

/** The catalog that the tables of a directory give on their day, or on another one. */
export function catalogFrom(tablesDir: string, date?: string): Catalog {
  const tables = readTables(tablesDir, RATES_FILE, date);
  const sales = readVoucherSales(tables, tablesDir);
  const families = {
    topups: topupOffers(tables),
    vouchers: voucherOffers(sales, tables),
    esim: esimOffers(tables, tablesDir),
    billpay: billOffers(tables, tablesDir),
  };
  const offers = offersOf(families);
  refuseDuplicates(offers);
  refuseUnknownDisabled(offers, tables);
  tables.changes.refuseNamesElsewhere(offers);
  const sold = { ...tables, brands: usedBrands(offers, tables) };
  const withFields = [...families.vouchers, ...families.billpay];
  return {
    brands: brandDetails(sold, sales, withFields, tablesDir),
    ...families,
    promos: promosOf(offers, tablesDir, tables.date),
  };
}

/** The offers of every product family. */
export function offersOf({ topups, vouchers, esim, billpay }: Omit<Catalog, "brands" | "promos">) {
  return [...topups, ...vouchers, ...esim, ...billpay];
}

/** JSON with one record per line, so that a change of one offer is a diff of one line. */
export function catalogText(catalog: Catalog): string {
  const families = Object.entries(catalog).map(([name, records]: [string, unknown[]]) => {
    const lines = records.map((record) => `\n    ${JSON.stringify(record)}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${families.join(",\n")}\n}\n`;
}
