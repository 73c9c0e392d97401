import { join } from "node:path";
import type { Decimal } from "decimal.js";
import { keyed, readTable, TableError } from "../../lib/csv.ts";
import { currencyDivisor } from "../../lib/iso-4217.ts";
import type { BrandRow } from "./brands.ts";
import { code } from "./cells.ts";
import { idPrefix, rangeText, spoken, standing } from "./offers.ts";
import { fixedMoney, rangeMoney, type SendCurrency } from "./pricing.ts";
import {
  type Country,
  currencyOf,
  rangeOf,
  type Tables,
  TERMS_COLUMNS,
  type Terms,
  termsOf,
  type UsdRange,
  valuesOf,
} from "./tables.ts";
import {
  DELIVERY_TYPES,
  type DeliveryType,
  type OfferMoney,
  VOUCHER_SUBTYPES,
  type VoucherOffer,
  type VoucherSubtype,
} from "./types.ts";

/** Kind of voucher that a brand sells. It is the same in every country. */
interface VoucherProduct {
  readonly brand: BrandRow;
  readonly product: string;
  /** Name as used at the start of a sentence. */
  readonly name: string;
  readonly subTypes: readonly VoucherSubtype[];
  readonly deliveryType: DeliveryType;
  readonly requiredFields: readonly string[];
  readonly howTo: string;
  readonly where: string;
  readonly terms: Terms;
}

export interface VoucherSale {
  readonly at: string;
  readonly country: Country;
  readonly product: VoucherProduct;
  readonly currency: string;
  readonly values: readonly Decimal[];
  readonly range: UsdRange | undefined;
  /** Address for redeeming: a web site, or a code to dial. */
  readonly where: string;
}

export function readVoucherSales(tables: Tables, tablesDir: string): VoucherSale[] {
  const products = readProducts(join(tablesDir, "voucher-products.csv"), tables);
  const rows = readTable(join(tablesDir, "voucher-countries.csv"), [
    "country",
    "brand",
    "product",
    "currency",
    "values",
    "rangeMinUsd",
    "rangeMaxUsd",
    "rangeStepUsd",
    "where",
  ]);
  const unsold = new Set(products.keys());
  const sales = keyed(rows, ({ at, cells }) => {
    const country = tables.countries.get(cells.country);
    if (country === undefined) throw new TableError(at, `unknown country "${cells.country}"`);
    const key = `${cells.brand} ${cells.product}`;
    const product = products.get(key);
    if (product === undefined) throw new TableError(at, `unknown product "${key}"`);
    unsold.delete(key);
    const sale: VoucherSale = {
      at,
      country,
      product,
      currency:
        cells.currency === "" ? country.currency : currencyOf(at, cells.currency, tables.rates),
      values: valuesOf(at, "values", cells.values),
      range: rangeOf(at, cells.rangeMinUsd, cells.rangeMaxUsd, cells.rangeStepUsd),
      where: cells.where === "" ? product.where : cells.where,
    };
    if (sale.values.length === 0 && sale.range === undefined) {
      throw new TableError(at, "neither values nor a range");
    }
    if (sale.where === "") throw new TableError(at, "where is empty here and in the product");
    return [`${cells.country} ${key}`, sale];
  });
  for (const key of unsold) throw new TableError("voucher-products.csv", `${key} is sold nowhere`);
  return [...sales.values()].filter(
    ({ country, product }) => !tables.changes.isToCome(product.brand.brand, country.country),
  );
}

function readProducts(path: string, tables: Tables): Map<string, VoucherProduct> {
  const brands = new Map(tables.brands.map((row) => [row.brand, row]));
  const rows = readTable(path, [
    "brand",
    "product",
    "name",
    "subTypes",
    "deliveryType",
    "requiredFields",
    "howTo",
    "where",
    ...TERMS_COLUMNS,
  ]);
  return keyed(rows, ({ at, cells }) => {
    const brand = brands.get(cells.brand);
    if (brand === undefined) throw new TableError(at, `unknown brand "${cells.brand}"`);
    if (cells.name === "") throw new TableError(at, "name is empty");
    const deliveryType = DELIVERY_TYPES.find((type) => type === cells.deliveryType);
    if (deliveryType === undefined) {
      throw new TableError(at, `"${cells.deliveryType}" is not a delivery type`);
    }
    const product: VoucherProduct = {
      brand,
      product: code(at, "product", cells.product),
      name: cells.name,
      subTypes: subTypesOf(at, cells.subTypes),
      deliveryType,
      requiredFields: cells.requiredFields === "" ? [] : cells.requiredFields.split(" "),
      howTo: code(at, "howTo", cells.howTo),
      where: cells.where,
      terms: termsOf(at, cells),
    };
    return [`${cells.brand} ${cells.product}`, product];
  });
}

function subTypesOf(at: string, text: string): VoucherSubtype[] {
  return text.split("|").map((name) => {
    const subType = VOUCHER_SUBTYPES.find((candidate) => candidate === name);
    if (subType === undefined) throw new TableError(at, `"${name}" is not a sub-type of vouchers`);
    return subType;
  });
}

export function voucherOffers(sales: readonly VoucherSale[], tables: Tables): VoucherOffer[] {
  return sales.flatMap((sale) => {
    const { at, currency, values, range, product } = sale;
    const rate = tables.rates.get(currency);
    if (rate === undefined) throw new TableError(at, `no rate for ${currency}`);
    const send: SendCurrency = { currency, rate };
    try {
      const offers = values.map((value) => {
        const face = faceText(value, currency);
        const money = fixedMoney(value, send, product.terms);
        return offer(sale, face.replace(".", "_"), `${face} ${currency}`, money, tables);
      });
      if (range === undefined) return offers;
      return [...offers, rangeOffer(sale, rangeMoney(range, send, product.terms), tables)];
    } catch (error) {
      throw new TableError(at, error instanceof Error ? error.message : String(error));
    }
  });
}

function faceText(value: Decimal, currency: string): string {
  return value.isInteger() ? value.toFixed() : value.toFixed(Math.log10(currencyDivisor(currency)));
}

function rangeOffer(
  sale: VoucherSale,
  money: ReturnType<typeof rangeMoney>,
  tables: Tables,
): VoucherOffer {
  return offer(sale, "RANGE", rangeText(money.send), money, tables);
}

function offer(
  sale: VoucherSale,
  idPart: string,
  amount: string,
  money: OfferMoney,
  tables: Tables,
): VoucherOffer {
  const { country, product } = sale;
  const { brand, brandName } = product.brand;
  const offerId = `${idPrefix(brand, country.country)}_${product.product}_${idPart}`;
  const worth = money.priceType === "RANGE" ? "of a free value" : `worth ${amount}`;
  const notes = `${product.name} ${worth} for ${brandName}, for use in ${spoken(country)}.`;
  return {
    offerId,
    brand,
    brandName,
    country: country.country,
    createdAt: tables.date,
    updatedAt: tables.date,
    ...standing({ offerId, brand, country: country.country }, notes, tables),
    shortNotes: amount,
    cost: money.cost,
    price: money.price,
    send: money.send,
    priceType: money.priceType,
    productType: "VOUCHER",
    regions: [...country.regions],
    subTypes: [...product.subTypes],
    requiredFields: [...product.requiredFields],
    deliveryType: product.deliveryType,
  };
}
