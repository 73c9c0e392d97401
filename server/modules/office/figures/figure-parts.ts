import { type RawBuilder, sql } from "kysely";
import { type FigureDimension, UNKNOWN_KEY } from "../../../contract/pos/figures.ts";
import {
  API_PART_COLUMNS,
  API_TILL,
  type Dimension,
  PART_COLUMNS,
  PROVIDER_MARK,
  splitBrandValue,
} from "../../../db/figure-sums.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";

/** A value of a dimension. */
export interface Part {
  by: FigureDimension;
  value: string;
}

/** Value of sales from a file in the dimension of tills. */
const FILE = "FILE";

/**
 * Returns the stored dimension. Channels and keys are read from the values of tills, providers from
 * those of brands.
 */
export function toStoredDimension(by: FigureDimension): Dimension {
  if (by === "PROVIDER") return "BRAND";
  return by === "CHANNEL" || by === "KEY" ? "TILL" : by;
}

/** Returns the value of a dimension for a stored value; undefined for a sale without a key. */
export function toPartValue(by: FigureDimension, stored: string): string | undefined {
  if (by === "BRAND" || by === "PROVIDER") {
    const { brand, providerId = FIRST_PROVIDER } = splitBrandValue(stored);
    return by === "BRAND" ? brand : providerId;
  }
  const isApi = stored.startsWith(API_TILL);
  if (by === "KEY") return isApi ? stored.slice(API_TILL.length) || UNKNOWN_KEY : undefined;
  if (by === "CHANNEL") {
    if (isApi) return "API";
    return stored === FILE ? "BULK" : "TILL";
  }
  return by === "TILL" && isApi ? "API" : stored;
}

/**
 * SQL condition of a part.
 * @param column SQL of the stored value of the part's dimension
 */
function isPart({ by, value }: Part, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (by === "BRAND") {
    const start = value + PROVIDER_MARK;
    return sql`(${column} = ${value} or substr(${column}, 1, ${sql.lit([...start].length)}) = ${start})`;
  }
  if (by === "PROVIDER") {
    return value === FIRST_PROVIDER
      ? sql`${column} not like ${`%${PROVIDER_MARK}%`}`
      : sql`${column} like ${`%${PROVIDER_MARK}${value}`}`;
  }
  const isApi = sql`${column} like ${`${API_TILL}%`}`;
  if (by === "KEY") {
    return sql`${column} = ${API_TILL + (value === UNKNOWN_KEY ? "" : value)}`;
  }
  if (by === "CHANNEL" && value === "BULK") return sql`${column} = ${FILE}`;
  if (by === "CHANNEL" && value === "TILL") return sql`(${column} <> ${FILE} and not ${isApi})`;
  if ((by === "CHANNEL" || by === "TILL") && value === "API") return isApi;
  return sql`${column} = ${value}`;
}

/** SQL condition: the stored row of `day_figures` is of the part. */
export function isStoredPart(part: Part): RawBuilder<unknown> {
  return sql`dimension = ${toStoredDimension(part.by)} and ${isPart(part, sql.ref("value"))}`;
}

/** SQL condition: the line is of the part. */
export function isLineOfPart(part: Part | undefined): RawBuilder<unknown> {
  if (!part) return sql`true`;
  return isPart(part, sql.raw(`(${PART_COLUMNS[toStoredDimension(part.by)]})`));
}

/** SQL condition: the purchase through `/v1` is of the part. */
export function isApiSaleOfPart(part: Part | undefined): RawBuilder<unknown> {
  if (!part) return sql`true`;
  return isPart(part, sql.raw(`(${API_PART_COLUMNS[toStoredDimension(part.by)]})`));
}
