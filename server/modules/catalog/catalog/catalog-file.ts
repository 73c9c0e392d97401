import {
  type CatalogContent,
  getSection,
  SECTIONS,
  type Section,
} from "../../../contract/catalog-content.ts";
import { FAMILIES, type Family } from "../../../contract/pos/families.ts";
import {
  checkJsonText,
  JsonFault,
  type JsonPath,
  locateValues,
  placeOf,
} from "../../../lib/json-text.ts";
import type { CatalogInput } from "./catalog-check.ts";
import { type Fault, isRecord } from "./catalog-schema.ts";

/** Maximum number of errors in the message. */
const FAULTS_SHOWN = 20;
const FAULTS_KEPT = 200;
const ITEMS_A_PART = 200;

export interface PlacedFault {
  /** Line number, starting at 1; absent if the file is not valid text. */
  line?: number;
  /** Path such as `topups[3].price.max`; empty for the file itself. */
  field: string;
  message: string;
}

export class CatalogFileFault extends Error {
  readonly faults: readonly PlacedFault[];
  readonly total: number;

  constructor(message: string, faults: readonly PlacedFault[], total: number = faults.length) {
    super(message);
    this.faults = faults;
    this.total = total;
  }
}

export interface CatalogFile {
  input: CatalogInput;
  describe(faults: readonly Fault[]): string;
  place(faults: readonly Fault[], most: number): PlacedFault[];
}

/**
 * Parses a catalog file: a plain list of offers, or an object with a list per section.
 * @throws CatalogFileFault if the file is not UTF-8, not JSON or has neither form
 */
export function readCatalogFile(bytes: Uint8Array): CatalogFile {
  const text = decode(bytes);
  try {
    checkJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { line, column } = placeOf(text, error.offset);
    const message = `the text ${error.message}`;
    const placed = { line, field: "", message: `${message} at column ${column}` };
    throw new CatalogFileFault(`line ${line}, column ${column}: ${message}.`, [placed]);
  }
  const value: unknown = JSON.parse(text);
  const { input, faults, origins } = Array.isArray(value) ? readList(value) : readSections(value);

  function place(found: readonly Fault[], most: number): PlacedFault[] {
    const shown = found.slice(0, most).map(({ path, message }) => {
      const [section, index, ...rest] = path;
      const list = origins?.[section as Section];
      const origin = list === undefined ? path : [list[Number(index)] ?? 0, ...rest];
      return { path: origin, message };
    });
    return placeFaults(text, shown);
  }

  if (faults.length > 0) {
    const placed = placeFaults(text, faults.slice(0, FAULTS_KEPT));
    throw new CatalogFileFault(inWords(placed, faults.length), placed, faults.length);
  }
  return { input, place, describe: (found) => inWords(place(found, FAULTS_SHOWN), found.length) };
}

/** Writes one item per line, so that a changed item is one line in a diff. */
export function formatCatalogFile(content: CatalogContent): string {
  return [...catalogFileParts(content)].join("");
}

export function* catalogFileParts(content: CatalogContent): Generator<string> {
  for (const [position, section] of SECTIONS.entries()) {
    yield `${position === 0 ? "{\n" : ",\n"}  "${section}": [`;
    const items: readonly unknown[] = content[section];
    for (let from = 0; from < items.length; from += ITEMS_A_PART) {
      const lines = items
        .slice(from, from + ITEMS_A_PART)
        .map((item) => `\n    ${JSON.stringify(item)}`);
      yield `${from === 0 ? "" : ","}${lines.join(",")}`;
    }
    yield items.length > 0 ? "\n  ]" : "]";
  }
  yield "\n}\n";
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const message = "is not UTF-8";
    throw new CatalogFileFault("The text is not UTF-8.", [{ field: "", message }]);
  }
}

interface ParsedFile {
  input: CatalogInput;
  faults: Fault[];
  /** Positions of the items in the file, if the file is a plain list of offers. */
  origins?: Partial<Record<Section, number[]>>;
}

function readList(offers: readonly unknown[]): ParsedFile {
  const input: Partial<Record<Section, unknown[]>> = {};
  const origins: Partial<Record<Section, number[]>> = {};
  const faults: Fault[] = [];
  for (const [index, offer] of offers.entries()) {
    const productType = isRecord(offer) ? offer.productType : undefined;
    const section = isFamily(productType) ? getSection(productType) : undefined;
    if (!section) {
      const message = `must be one of ${FAMILIES.join(", ")}`;
      faults.push({ path: [index, "productType"], message });
      continue;
    }
    input[section] ??= [];
    input[section].push(offer);
    origins[section] ??= [];
    origins[section].push(index);
  }
  return { input, faults, origins };
}

function isFamily(value: unknown): value is Family {
  return FAMILIES.some((family) => family === value);
}

function readSections(value: unknown): ParsedFile {
  if (!isRecord(value)) {
    const message =
      "must be a list of offers, or an object with lists of brands, offers and promos";
    return { input: {}, faults: [{ path: [], message }] };
  }
  const faults = Object.entries(value).flatMap(([name, items]): Fault[] => {
    if (!(SECTIONS as readonly string[]).includes(name)) {
      return [{ path: [name], message: `is not one of ${SECTIONS.join(", ")}` }];
    }
    return Array.isArray(items) ? [] : [{ path: [name], message: "must be a list" }];
  });
  return { input: value, faults };
}

function placeFaults(text: string, faults: readonly Fault[]): PlacedFault[] {
  const offsets = locateValues(
    text,
    faults.map(({ path }) => path),
  );
  return faults.map(({ path, message }, index) => {
    const { line } = placeOf(text, offsets[index] ?? 0);
    return { line, field: formatPath(path), message };
  });
}

function inWords(faults: readonly PlacedFault[], total: number): string {
  const lines = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ line, field, message }) => `line ${line}: ${field || "the file"} ${message}.`);
  if (total > lines.length) lines.push(`… and ${total - lines.length} more.`);
  return lines.join("\n");
}

function formatPath(path: JsonPath): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
