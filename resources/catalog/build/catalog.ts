import { join } from "node:path";
import type { Decimal } from "decimal.js";
import { keyed, type Row, readTable, TableError } from "../../lib/csv.ts";
import { brandDetails } from "./brand-details.ts";
import type { BrandRow } from "./brands.ts";
import { code, wholeNumber } from "./cells.ts";
import { esimOffers } from "./esim.ts";
import {
  idPrefix,
  rangeText,
  refuseDuplicates,
  refuseUnknownDisabled,
  spoken,
  standing,
  usedBrands,
} from "./offers.ts";
import { fixedMoney, rangeMoney, type SendCurrency } from "./pricing.ts";
import { promosOf } from "./promos.ts";
import {
  type Country,
  rangeOf,
  readTables,
  type Tables,
  TERMS_COLUMNS,
  type Terms,
  termsOf,
  type UsdRange,
  valuesOf,
} from "./tables.ts";
import { topupOffers } from "./topups.ts";
import {
  type BillOffer,
  type Brand,
  type EsimOffer,
  type OfferMoney,
  type Promo,
  type TopupOffer,
  type VoucherOffer,
  WEEKDAYS,
  type Weekday,
} from "./types.ts";
import { readVoucherSales, voucherOffers } from "./vouchers.ts";

const REQUIRED_FIELDS = ["accountNumber", "billIdentifier", "customer.documentNumber"];
const RETRIEVAL_FIELDS = ["accountNumber", "billIdentifier"];

const BILLER_COLUMNS = [
  "country",
  "brand",
  "service",
  "requiredFields",
  "retrievalFields",
  "overpayment",
  "underpayment",
  "cutoffTime",
  "processingDays",
  "onHolidays",
  "deliverySeconds",
  "fixed",
  "rangeMinUsd",
  "rangeMaxUsd",
  ...TERMS_COLUMNS,
] as const;

/** Smallest step of a bill payment: a customer who owes 12.34 pays 12.34. */
const CENT = "0.01";

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

export function offersOf({ topups, vouchers, esim, billpay }: Omit<Catalog, "brands" | "promos">) {
  return [...topups, ...vouchers, ...esim, ...billpay];
}

/** Formats one record per line, so that a change of an offer is a one-line diff. */
export function catalogText(catalog: Catalog): string {
  const families = Object.entries(catalog).map(([name, records]: [string, unknown[]]) => {
    const lines = records.map((record) => `\n    ${JSON.stringify(record)}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${families.join(",\n")}\n}\n`;
}

interface Service {
  readonly service: string;
  readonly subType: string;
  readonly bill: string;
}

interface Biller {
  readonly at: string;
  readonly country: Country;
  readonly brand: BrandRow;
  readonly service: Service;
  readonly requiredFields: readonly string[];
  readonly retrievalFields: readonly string[];
  readonly overpayment: boolean;
  readonly underpayment: boolean;
  readonly cutoffTime: string;
  readonly processingDays: readonly Weekday[];
  readonly onHolidays: boolean;
  readonly deliverySeconds: number;
  readonly fixed: readonly Decimal[];
  readonly range: UsdRange | undefined;
  readonly terms: Terms;
}

interface Product {
  readonly offerId: string;
  readonly notes: string;
  readonly shortNotes: string;
  readonly money: OfferMoney;
}

function billOffers(tables: Tables, tablesDir: string): BillOffer[] {
  const services = readServices(join(tablesDir, "billers-services.csv"));
  const billers = readBillers(join(tablesDir, "billers.csv"), tables, services);
  return billers.flatMap((biller) => {
    const { currency } = biller.country;
    const rate = tables.rates.get(currency);
    if (rate === undefined) throw new TableError(biller.at, `no rate for ${currency}`);
    try {
      const products = productsOf(biller, { currency, rate });
      return products.map((product) => offer(biller, product, tables));
    } catch (error) {
      throw new TableError(biller.at, error instanceof Error ? error.message : String(error));
    }
  });
}

function readServices(path: string): Map<string, Service> {
  const rows = readTable(path, ["service", "subType", "bill"]);
  return keyed(rows, ({ at, cells }) => {
    if (cells.subType === "" || cells.bill === "") {
      throw new TableError(at, "subType and bill must be given");
    }
    return [code(at, "service", cells.service), cells];
  });
}

function readBillers(
  path: string,
  tables: Tables,
  services: ReadonlyMap<string, Service>,
): Biller[] {
  const brands = new Map(tables.brands.map((row) => [row.brand, row]));
  const billers = keyed(readTable(path, BILLER_COLUMNS), (row) => {
    const { at, cells } = row;
    const country = tables.countries.get(cells.country);
    if (country === undefined) throw new TableError(at, `unknown country "${cells.country}"`);
    const brand = brands.get(cells.brand);
    if (brand === undefined) throw new TableError(at, `unknown brand "${cells.brand}"`);
    const service = services.get(cells.service);
    if (service === undefined) throw new TableError(at, `unknown service "${cells.service}"`);
    const key = `${cells.country} ${cells.brand} ${cells.service}`;
    return [key, { country, brand, service, ...detailsOf(row), ...amountsOf(row) }];
  });
  return [...billers.values()].filter(
    ({ country, brand }) => !tables.changes.isToCome(brand.brand, country.country),
  );
}

function detailsOf({ at, cells }: Row<(typeof BILLER_COLUMNS)[number]>) {
  const requiredFields = someOf(at, "requiredFields", cells.requiredFields, REQUIRED_FIELDS);
  const retrievalFields = someOf(at, "retrievalFields", cells.retrievalFields, RETRIEVAL_FIELDS);
  if (requiredFields.length === 0) throw new TableError(at, "requiredFields is empty");
  for (const field of retrievalFields) {
    if (!requiredFields.includes(field)) throw new TableError(at, `${field} is not required`);
  }
  if (!/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/.test(cells.cutoffTime)) {
    throw new TableError(at, `cutoffTime "${cells.cutoffTime}" is not HH:MM`);
  }
  return {
    at,
    requiredFields,
    retrievalFields,
    overpayment: yesOrNo(at, "overpayment", cells.overpayment),
    underpayment: yesOrNo(at, "underpayment", cells.underpayment),
    cutoffTime: cells.cutoffTime,
    processingDays: daysOf(at, cells.processingDays),
    onHolidays: yesOrNo(at, "onHolidays", cells.onHolidays),
    deliverySeconds: wholeNumber(at, "deliverySeconds", cells.deliverySeconds),
  };
}

function amountsOf({ at, cells }: Row<(typeof BILLER_COLUMNS)[number]>) {
  const fixed = valuesOf(at, "fixed", cells.fixed);
  const step = cells.rangeMinUsd === "" ? "" : CENT;
  const range = rangeOf(at, cells.rangeMinUsd, cells.rangeMaxUsd, step);
  if (fixed.length === 0 && range === undefined) {
    throw new TableError(at, "neither fixed values nor a range");
  }
  return { fixed, range, terms: termsOf(at, cells) };
}

/** Reads names separated by `|`. They must be in the order of `known`. */
function someOf(at: string, column: string, text: string, known: readonly string[]): string[] {
  const names = text.split("|");
  const found = known.filter((name) => names.includes(name));
  if (found.join("|") !== text) {
    throw new TableError(at, `${column} "${text}" is not some of ${known.join("|")}`);
  }
  return found;
}

function yesOrNo(at: string, column: string, text: string): boolean {
  if (text !== "yes" && text !== "no") throw new TableError(at, `${column} is not yes or no`);
  return text === "yes";
}

/** Reads a range of weekdays, such as `MONDAY-FRIDAY`. */
function daysOf(at: string, text: string): Weekday[] {
  const names: readonly string[] = WEEKDAYS;
  const [first, last] = text.split("-").map((name) => names.indexOf(name));
  if (first === undefined || last === undefined || first < 0 || last < first) {
    throw new TableError(at, `processingDays "${text}" is not like MONDAY-FRIDAY`);
  }
  return WEEKDAYS.slice(first, last + 1);
}

function productsOf(biller: Biller, send: SendCurrency): Product[] {
  const { brand, country, service, fixed, range, terms } = biller;
  const id = `${idPrefix(brand.brand, country.country)}_BILL_${service.service}`;
  const whom = `${service.bill} of ${brand.brandName} in ${spoken(country)}`;
  const products = fixed.map((face) => ({
    offerId: `${id}_${face.toString().replace(".", "_")}`,
    notes: `Pays ${face} ${send.currency} for ${whom}.`,
    shortNotes: `${face} ${send.currency}`,
    money: fixedMoney(face, send, terms),
  }));
  if (range === undefined) return products;
  const money = rangeMoney(range, send, terms);
  const notes = `Pays ${whom}.`;
  return [...products, { offerId: id, notes, shortNotes: rangeText(money.send), money }];
}

function offer(biller: Biller, product: Product, tables: Tables): BillOffer {
  const { offerId, shortNotes, money } = product;
  const isRange = money.priceType === "RANGE";
  return {
    offerId,
    brand: biller.brand.brand,
    brandName: biller.brand.brandName,
    country: biller.country.country,
    createdAt: tables.date,
    updatedAt: tables.date,
    ...standing(
      { offerId, brand: biller.brand.brand, country: biller.country.country },
      product.notes,
      tables,
    ),
    shortNotes,
    cost: money.cost,
    price: money.price,
    send: money.send,
    priceType: money.priceType,
    productType: "BILL_PAY",
    regions: [...biller.country.regions],
    subTypes: [biller.service.subType],
    requiredFields: [...biller.requiredFields],
    billRetrievalRequiredFields: [...biller.retrievalFields],
    supportsBillRetrieval: biller.retrievalFields.length > 0,
    supportsOverpayment: isRange && biller.overpayment,
    supportsUnderpayment: isRange && biller.underpayment,
    cutoffTime: biller.cutoffTime,
    processingDays: [...biller.processingDays],
    processingOnHolidays: biller.onHolidays,
    deliverySpeedSeconds: biller.deliverySeconds,
  };
}
