import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import {
  type CatalogContent,
  getSection,
  SECTIONS,
  type Section,
} from "../../../contract/catalog-content.ts";
import { FAMILIES, FAMILY_FACTS, type Family } from "../../../contract/pos/families.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { readJson } from "../../../lib/checked-json.ts";
import { pause } from "../../../lib/clock.ts";
import {
  checkJsonText,
  JsonFault,
  type JsonPath,
  locateValues,
  placeOf,
} from "../../../lib/json-text.ts";
import type { CatalogInput } from "./catalog-check.ts";
import { CATALOG_CONTENT, type Fault, isRecord, ORDERED } from "./catalog-schema.ts";
import { type CatalogChange, toBrandRow, toOfferRow, toPromoRow } from "./catalog-store.ts";
import { writeCatalogChange } from "./catalog-writer.ts";

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

/** Number of items written or read before other work may run. */
const AT_A_TIME = 200;
/** First word of the line that lists the pack's sections, including empty sections. */
const SECTIONS_LINE = "sections";

const compress = promisify<Uint8Array, Buffer>(gzip);
const expand = promisify<Uint8Array, Buffer>(gunzip);

/** Packs item by item, so that no single step takes long. */
export async function packCatalog(catalog: CatalogInput): Promise<Uint8Array> {
  const present = SECTIONS.filter((section) => catalog[section]);
  const parts = [Buffer.from(`${SECTIONS_LINE} ${JSON.stringify(present)}\n`)];
  for (const section of present) {
    for (const [index, item] of (catalog[section] ?? []).entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await pause();
      parts.push(Buffer.from(`${section} ${JSON.stringify(item)}\n`));
    }
  }
  return compress(Buffer.concat(parts));
}

/** Reads a pack. Packs of earlier versions omit empty sections. */
export async function unpackCatalog(
  content: Uint8Array,
): Promise<Partial<Record<Section, unknown[]>>> {
  const catalog: Partial<Record<Section, unknown[]>> = {};
  const bytes = await expand(content);
  let from = 0;
  for (let count = 1; from < bytes.length; count++) {
    if (count % AT_A_TIME === 0) await pause();
    const end = bytes.indexOf("\n", from);
    const line = bytes.toString("utf8", from, end);
    const space = line.indexOf(" ");
    const name = line.slice(0, space);
    const value: unknown = JSON.parse(line.slice(space + 1));
    from = end + 1;
    if (name === SECTIONS_LINE && Array.isArray(value)) {
      for (const section of value.filter(isSection)) catalog[section] ??= [];
    } else if (isSection(name)) {
      catalog[name] ??= [];
      catalog[name].push(value);
    }
  }
  return catalog;
}

function isSection(name: unknown): name is Section {
  return SECTIONS.some((section) => section === name);
}

export async function readSandboxCatalog(resourcesDir: string): Promise<CatalogContent> {
  const file = join(resourcesDir, "catalog", "sandbox.json");
  return readJson(CATALOG_CONTENT, await readFile(file, "utf8"), file);
}

/** Returns the rows of a new shop's sandbox catalog. */
export async function readSandboxRows(resourcesDir: string): Promise<CatalogChange> {
  const content = await readSandboxCatalog(resourcesDir);
  const offers = FAMILIES.flatMap((family): Offer[] => {
    const { path } = FAMILY_FACTS[family];
    return content[path].map((offer) => ORDERED[path](offer));
  });
  return {
    brands: { put: content.brands.map((one) => toBrandRow(ORDERED.brands(one))), remove: [] },
    offers: { put: offers.map((offer) => toOfferRow(offer)), remove: [] },
    promos: { put: content.promos.map((one) => toPromoRow(ORDERED.promos(one))), remove: [] },
  };
}

export async function loadSandboxCatalog(
  tx: Tx,
  accountId: string,
  change: CatalogChange,
  at: number,
): Promise<void> {
  const scope: Scope = { accountId, environment: "test" };
  await writeCatalogChange(tx, scope, { base: undefined, change, source: "sandbox", at });
}
