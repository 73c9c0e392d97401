import type { TObject } from "typebox";
import { isWebAddress, toShownText } from "../../lib/catalog-texts.ts";
import { currencyDivisor, Exact, isCurrency, toMinor, type Unit } from "../../lib/money.ts";
import type { NoteDeviation } from "../catalog-deviations.ts";
import type { BalanceAnswer } from "../kind.ts";

export const DIVISORS: readonly number[] = [1, 10, 100, 1000];

/** The earliest plausible time. Earlier times are default values of programs (year 1 or 1970). */
const FIRST_TIME = Date.UTC(1971);
const WHOLE = /^\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,12})?$/;
const MAX_LISTED = 1000;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Returns a list: a single value becomes a list with that value, and a blank value an empty list.
 */
export function readList(value: unknown): unknown[] {
  if (isBlank(value)) return [];
  return Array.isArray(value) ? (value as unknown[]).slice(0, MAX_LISTED) : [value];
}

export interface StatedPlace {
  /** Section of the catalog, such as `topups`, and the path of the record within an item. */
  section: string;
  /** Id of the item, as an example for the owner. */
  id: string | undefined;
  note: NoteDeviation;
}

/**
 * A record of another gateway. Each field is read separately. An unreadable field gets a default,
 * and is noted once per record.
 */
export class StatedRecord {
  readonly #fields: Record<string, unknown>;
  readonly #place: StatedPlace;
  readonly #deviating = new Set<string>();

  constructor(fields: Record<string, unknown>, place: StatedPlace) {
    this.#fields = fields;
    this.#place = place;
  }

  deviates(field: string, how: string): void {
    if (this.#deviating.has(field)) return;
    this.#deviating.add(field);
    this.#place.note(`${this.#place.section}: ${field} ${how}`, this.#place.id);
  }

  noteUnknownFields({ properties }: TObject): void {
    for (const name of Object.keys(this.#fields)) {
      if (Object.hasOwn(properties, name) || isBlank(this.#fields[name])) continue;
      this.deviates(name.slice(0, 64), "is unknown");
    }
  }

  /** Returns a value; undefined if it is absent, null or empty. */
  optional(field: string): unknown {
    const value = this.#fields[field];
    return isBlank(value) ? undefined : value;
  }

  /** Returns a trimmed code or id. A number is converted to text; other values stay as stated. */
  identifier(field: string): unknown {
    const value = this.optional(field);
    if (typeof value === "number") return this.#noteRetyped(field, String(value));
    return typeof value === "string" ? value.trim() : value;
  }

  /** Returns a text for display; empty by default. */
  text(field: string): string {
    const value = this.#fields[field];
    if (isBlank(value)) {
      if (value !== "") this.deviates(field, "is missing");
      return "";
    }
    if (typeof value === "object" || typeof value === "boolean") {
      this.deviates(field, "is not a text");
      return "";
    }
    const stated = typeof value === "string" ? value : this.#noteRetyped(field, toText(value));
    const shown = toShownText(stated, field);
    if (shown !== stated) this.deviates(field, "has characters that are not shown");
    return shown;
  }

  webAddress(field: string): string {
    const value = this.#fields[field];
    if (isBlank(value)) return "";
    if (typeof value === "string" && isWebAddress(value)) return value;
    this.deviates(field, "is no web address");
    return "";
  }

  /** Returns an RFC 3339 time; undefined if absent or a default value of a program. */
  time(field: string): string | undefined {
    const value = this.optional(field);
    const time = typeof value === "string" && value.length < 64 ? Date.parse(value) : Number.NaN;
    if (time >= FIRST_TIME) return new Date(time).toISOString();
    if (value === undefined || time < FIRST_TIME) this.deviates(field, "is missing");
    else this.deviates(field, "is no time");
    return undefined;
  }

  flag(field: string, fallback: boolean): boolean {
    const value = this.#fields[field];
    if (typeof value === "boolean") return value;
    if (isBlank(value)) {
      this.deviates(field, `is missing: read as ${fallback}`);
      return fallback;
    }
    const folded = String(value).trim().toLowerCase();
    if (["true", "1", "yes"].includes(folded)) return this.#noteRetyped(field, true);
    if (["false", "0", "no"].includes(folded)) return this.#noteRetyped(field, false);
    this.deviates(field, `is neither true nor false: read as ${fallback}`);
    return fallback;
  }

  /** Returns an informational number; 0 by default. */
  number(
    field: string,
    options: {
      isInteger?: boolean;
      isSigned?: boolean;
      isOptional?: boolean;
      minimum?: number;
    } = {},
  ): number {
    const { isInteger = false, isSigned = false, isOptional = false, minimum } = options;
    const value = this.optional(field);
    if (value === undefined) {
      if (!isOptional) this.deviates(field, "is missing: read as 0");
      return 0;
    }
    const number = toNumber(value);
    const least = minimum ?? (isSigned ? -Number.MAX_SAFE_INTEGER : 0);
    const isUsable = number >= least && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
    if (!isUsable || (isInteger && !Number.isInteger(number))) {
      this.deviates(field, "cannot be used: read as 0");
      return 0;
    }
    return typeof value === "number" ? number : this.#noteRetyped(field, number);
  }

  /**
   * Returns an amount or a rate that selling requires, converted to `unit` if its divisor is known.
   * A value that is no number stays as stated, and the catalog refuses it.
   */
  amount(
    field: string,
    divisor?: unknown,
    unit?: Unit,
  ): number | undefined | object | string | boolean {
    const value = this.optional(field);
    if (typeof value === "string" && DECIMAL.test(value.trim())) {
      return this.#convert(this.#noteRetyped(field, Number(value)), divisor, unit);
    }
    if (typeof value === "number") return this.#convert(value, divisor, unit);
    return value as undefined | object | string | boolean;
  }

  information(field: string, divisor: unknown, unit: Unit): number | undefined {
    if (this.optional(field) === undefined) return undefined;
    const amount = this.amount(field, divisor, unit);
    if (typeof amount === "number" && Number.isSafeInteger(amount) && amount >= 0) return amount;
    this.deviates(field, "cannot be used");
    return undefined;
  }

  /** Returns a code of two letters, ignoring case. An optional code is empty if absent. */
  country(field: string, isOptional: boolean): unknown {
    const value = this.optional(field);
    if (value === undefined) return isOptional ? "" : undefined;
    if (typeof value !== "string") return isOptional ? this.#drop(field) : value;
    const code = value.trim().toUpperCase();
    if (code !== value) this.deviates(field, "is not in capital letters");
    return isOptional && !/^([A-Z]{2})?$/.test(code) ? this.#drop(field) : code;
  }

  /** Returns an ISO 4217 code, ignoring case. */
  currency(field: string): unknown {
    const value = this.optional(field);
    if (value === undefined) {
      this.deviates(field, "is missing");
      return undefined;
    }
    const code = typeof value === "string" ? value.trim().toUpperCase() : value;
    if (code !== value) this.deviates(field, "is not in capital letters");
    return code;
  }

  /** Returns distinct values, ignoring case. Unknown values are dropped. */
  listOf<Value extends string>(field: string, allowed: readonly Value[]): Value[] {
    if (this.optional(field) === undefined) this.deviates(field, "is missing");
    const known = readList(this.#fields[field]).flatMap((value): Value[] => {
      const folded = String(value).trim().toLowerCase();
      const same = allowed.find((one) => one.toLowerCase() === folded);
      if (same !== undefined) return [same];
      this.deviates(field, `has the unknown value "${folded.slice(0, 64)}"`);
      return [];
    });
    return [...new Set(known)];
  }

  /** Returns distinct texts. Values of other types are dropped. */
  texts(field: string): string[] {
    if (this.optional(field) === undefined) this.deviates(field, "is missing");
    const texts = readList(this.#fields[field]).flatMap((value): string[] => {
      const shown = typeof value === "string" ? toShownText(value.trim(), field) : "";
      if (shown !== "") return [shown];
      this.deviates(field, "has an item that is no text");
      return [];
    });
    return [...new Set(texts)];
  }

  /**
   * Returns names that selling requires. A list with other values stays as stated, and the catalog
   * refuses it.
   */
  names(field: string): unknown {
    const value = this.optional(field);
    if (value === undefined) {
      this.deviates(field, "is missing: no field is required");
      return [];
    }
    const list = readList(value);
    const isReadable = list.every((name) => typeof name === "string" && name.trim() !== "");
    return isReadable ? [...new Set(list.map((name) => String(name).trim()))] : value;
  }

  record(field: string): StatedRecord {
    const value = this.#fields[field];
    const fields = isRecord(value) ? value : {};
    if (fields !== value) this.deviates(field, isBlank(value) ? "is missing" : "is no record");
    return new StatedRecord(fields, this.inside(field));
  }

  /** Returns records. Values of other types are dropped. */
  records(field: string): StatedRecord[] {
    if (this.optional(field) === undefined) this.deviates(field, "is missing");
    return readList(this.#fields[field]).flatMap((item) => {
      if (isRecord(item)) return [new StatedRecord(item, this.inside(field))];
      this.deviates(field, "has an item that is no record");
      return [];
    });
  }

  inside(field: string): StatedPlace {
    const { section, id, note } = this.#place;
    const at = section.includes(": ") ? `${section}.${field}` : `${section}: ${field}`;
    return { section: at, id, note: (what) => note(what.replace(`${at}: `, `${at}.`), id) };
  }

  #noteRetyped<Value>(field: string, value: Value): Value {
    this.deviates(field, "is of another type");
    return value;
  }

  #drop(field: string): "" {
    this.deviates(field, "cannot be used");
    return "";
  }

  #convert(amount: number, divisor: unknown, unit: Unit | undefined): number {
    if (!unit || typeof divisor !== "number" || !DIVISORS.includes(divisor)) return amount;
    return toUnit(amount, divisor, unit);
  }
}

/** Converts an amount to minor units of `unit`, rounded up if the stated divisor is larger. */
function toUnit(amount: number, divisor: number, { currencyDivisor: ours }: Unit): number {
  if (divisor === ours || !Number.isSafeInteger(amount)) return amount;
  return toMinor(new Exact(amount).div(divisor), ours, "up");
}

/** Returns the stated divisor, by default that of ISO 4217. An invalid divisor stays as stated. */
export function readStatedDivisor(stated: StatedRecord, currency: unknown): unknown {
  const divisor = stated.optional("currencyDivisor");
  const known = typeof currency === "string" && isCurrency(currency);
  if (divisor === undefined || divisor === 0) {
    stated.deviates("currencyDivisor", "is missing: taken from ISO 4217");
    return known ? currencyDivisor(currency) : undefined;
  }
  const number = typeof divisor === "string" && WHOLE.test(divisor) ? Number(divisor) : divisor;
  if (known && number !== currencyDivisor(currency)) {
    stated.deviates("currencyDivisor", `is ${toText(number).slice(0, 16)} for ${currency}`);
  }
  return number;
}

function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? value.trim() : "";
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

/**
 * Reads a balance. An amount with decimals is in major units, and its divisor is ignored. A whole
 * amount is in minor units of the stated divisor, by default of ISO 4217.
 * @param fallback currency of an amount without a stated currency
 */
export function readBalance(
  value: unknown,
  fallback: string,
  note: NoteDeviation,
): BalanceAnswer["balance"] {
  const fields = isRecord(value) ? value : {};
  const stated = new StatedRecord(fields, { section: "balance", id: undefined, note });
  const code = stated.currency("currency");
  const currency = typeof code === "string" && isCurrency(code) ? code : undefined;
  if (code !== undefined && currency === undefined) {
    stated.deviates("currency", "is not an ISO 4217 currency");
  }
  const ours = currencyDivisor(currency ?? fallback);
  const amount = stated.optional("availableBalance");
  const number = toNumber(amount);
  if (!Number.isFinite(number)) {
    stated.deviates("availableBalance", amount === undefined ? "is missing" : "is no amount");
    return { available: undefined, currency };
  }
  const text = String(amount);
  const isMajor = text.includes(".");
  if (isMajor) stated.deviates("availableBalance", "has decimals: read as major units");
  const divisor = readStatedDivisor(stated, currency ?? fallback);
  if (!isMajor && !DIVISORS.includes(divisor as number)) {
    stated.deviates("currencyDivisor", "cannot be used");
    return { available: undefined, currency };
  }
  const major = new Exact(text.trim()).div(isMajor ? 1 : (divisor as number));
  const available = major.mul(ours).floor().toNumber();
  return { available: Number.isSafeInteger(available) ? available : undefined, currency };
}
