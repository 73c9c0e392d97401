import type { Deviation } from "../contract/pos/provider-answers.ts";
import { withoutControls } from "../lib/control-characters.ts";
import { Exact, toMinorExactly } from "../lib/money.ts";

/** Maximum number of characters of a field's text. */
const MAX_TEXT_LENGTH = 16 * 1024;
/**
 * Times in earlier years are treated as missing, because they are zero values of programming
 * languages.
 */
const FIRST_REAL_YEAR = 2000;

const DECIMAL = /^\s*\d{1,16}(\.\d{1,9})?\s*$/;

/**
 * Effect of a missing field: `needed` alerts the owner, `expected` is only recorded as a deviation.
 */
export type Importance = "needed" | "expected" | "optional";

/**
 * Reads a response field by field, and notes deviations. Treats null and empty fields as missing.
 * Names match in any case, with or without underscores.
 */
export class FieldReader {
  readonly deviations: Deviation[];
  readonly isObject: boolean;
  readonly #path: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #names = new Map<string, string>();

  constructor(value: unknown, deviations: Deviation[] = [], path = "") {
    this.deviations = deviations;
    this.#path = path;
    this.isObject = isFields(value);
    this.#fields = isFields(value) ? value : {};
    for (const name of Object.keys(this.#fields)) this.#names.set(simplify(name), name);
  }

  note(field: string, kind: Deviation["kind"], needed = kind === "UNREADABLE"): void {
    const path = this.#path === "" ? field : `${this.#path}.${field}`;
    const isNoted = this.deviations.some((known) => known.field === path && known.kind === kind);
    if (!isNoted) this.deviations.push({ field: path, kind, needed });
  }

  /** @returns undefined if the field is missing, null or empty */
  raw(name: string): unknown {
    const own = Object.hasOwn(this.#fields, name) ? name : this.#names.get(simplify(name));
    const value = own === undefined ? undefined : this.#fields[own];
    if (isBlank(value)) return undefined;
    if (own !== name) this.note(name, "CONVERTED");
    return value;
  }

  /**
   * Returns a text without control characters, or an integer as text. Returns an empty text for
   * other values.
   */
  text(name: string, importance: Importance = "optional"): string {
    const value = this.#find(name, importance);
    if (Number.isSafeInteger(value)) {
      this.note(name, "CONVERTED");
      return String(value);
    }
    return this.#toText(name, value);
  }

  /** Returns a text. Rejects a number, because it may have lost leading zeros. */
  code(name: string, importance: Importance = "optional"): string {
    return this.#toText(name, this.#find(name, importance));
  }

  word(name: string, importance: Importance = "optional"): string {
    return this.code(name, importance).toUpperCase();
  }

  /** Returns a non-negative safe integer. */
  amount(name: string, importance: Importance = "optional"): number | undefined {
    const value = this.number(name, importance);
    if (value === undefined || Number.isSafeInteger(value)) return value;
    this.note(name, "UNREADABLE");
    return undefined;
  }

  number(name: string, importance: Importance = "optional"): number | undefined {
    const value = this.#find(name, importance);
    if (value === undefined) return undefined;
    const isNumeric = typeof value === "string" && DECIMAL.test(value);
    const number = isNumeric ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number) && number >= 0) {
      if (isNumeric) this.note(name, "CONVERTED");
      return number;
    }
    this.note(name, "UNREADABLE");
    return undefined;
  }

  /**
   * Returns minor units of a decimal number or text with a dot. An amount with more decimals than
   * its currency is unreadable.
   */
  decimal(name: string, divisor: number, importance: Importance = "optional"): number | undefined {
    const value = this.#find(name, importance);
    if (value === undefined) return undefined;
    const text = typeof value === "number" ? new Exact(value).toFixed() : value;
    const isDecimal = typeof text === "string" && DECIMAL.test(text);
    const minor = isDecimal ? toMinorExactly(new Exact(text.trim()), divisor) : undefined;
    if (minor === undefined) this.note(name, "UNREADABLE");
    return minor;
  }

  flag(name: string): boolean | undefined {
    const value = this.#find(name, "optional");
    if (value === undefined || typeof value === "boolean") return value;
    const word = JSON.stringify(value).replaceAll('"', "").trim().toLowerCase();
    const isTrue = word === "true" || word === "1";
    if (isTrue || word === "false" || word === "0") {
      this.note(name, "CONVERTED");
      return isTrue;
    }
    this.note(name, "UNREADABLE");
    return undefined;
  }

  /**
   * Returns a time (RFC 3339). Returns an empty text for zero times.
   * @param timeOfDay added to a date without a time: the last second for the end of a validity
   */
  time(
    name: string,
    importance: Importance = "optional",
    timeOfDay: "00:00:00Z" | "23:59:59Z" = "00:00:00Z",
  ): string {
    const value = this.#find(name, "optional");
    const text = value === undefined ? "" : this.#toText(name, value);
    const isZero = text !== "" && isZeroTime(text);
    if (value === undefined || isZero) this.#noteMissing(name, importance);
    if (text === "" || isZero) return "";
    const instant = toInstant(DATE.test(text) ? `${text}T${timeOfDay}` : text);
    if (instant === undefined) this.note(name, "UNREADABLE");
    else if (instant !== text) this.note(name, "CONVERTED");
    return instant ?? "";
  }

  /** Returns a reader for a nested object; a reader without fields if there is no such object. */
  part(name: string, importance: Importance = "optional"): FieldReader {
    const path = this.#path === "" ? name : `${this.#path}.${name}`;
    const found = this.#find(name, importance);
    const value = unwrap(found);
    const read = new FieldReader(value, this.deviations, path);
    if (read.isObject && value !== found) this.note(name, "CONVERTED");
    if (!read.isObject && found !== undefined) this.note(name, "UNREADABLE");
    return read;
  }

  /** Returns a reader for each item of a list; undefined if there is no list. */
  parts(name: string, importance: Importance = "optional"): FieldReader[] | undefined {
    const found = this.#find(name, importance);
    if (found === undefined) return undefined;
    const value = typeof found === "string" ? parse(found) : found;
    if (!Array.isArray(value)) {
      this.note(name, "UNREADABLE");
      return undefined;
    }
    if (value !== found) this.note(name, "CONVERTED");
    const path = this.#path === "" ? name : `${this.#path}.${name}`;
    return value.flatMap((item) => {
      if (isFields(item)) return new FieldReader(item, this.deviations, path);
      this.note(name, "UNREADABLE");
      return [];
    });
  }

  #find(name: string, importance: Importance): unknown {
    const value = this.raw(name);
    if (value === undefined) this.#noteMissing(name, importance);
    return value;
  }

  #noteMissing(name: string, importance: Importance): void {
    if (importance !== "optional") this.note(name, "MISSING", importance === "needed");
  }

  #toText(name: string, value: unknown): string {
    if (value === undefined) return "";
    if (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) {
      const text = withoutControls(value);
      // Converted line ends are not a deviation.
      const isAlike = text === value.replaceAll(/\r\n?/g, "\n");
      if (!isAlike) this.note(name, "CONVERTED");
      return text.trim();
    }
    this.note(name, "UNREADABLE");
    return "";
  }
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

/** Replaces a list of one item by the item. Parses a text that contains JSON. */
function unwrap(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1) return value[0];
  return typeof value === "string" ? parse(value) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Matches a date and time. A time without a zone is in UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/i;

function toInstant(text: string): string | undefined {
  const [, date, time, zone = "Z"] = INSTANT.exec(text) ?? [];
  const instant = `${date}T${time}${zone.toUpperCase()}`;
  if (date === undefined || Number.isNaN(Date.parse(instant))) return undefined;
  return zone.toUpperCase() === "Z" ? instant : new Date(instant).toISOString();
}

function isZeroTime(text: string): boolean {
  const year = /^(\d{4})-/.exec(text)?.[1];
  return year !== undefined && Number(year) < FIRST_REAL_YEAR;
}
