import { FAMILIES, type Family } from "../../contract/pos/families.ts";
import {
  checkJsonText,
  JsonFault,
  type JsonPath,
  locateValues,
  placeOf,
} from "../../lib/json-text.ts";
import type { CatalogInput } from "./catalog-check.ts";
import { type CatalogContent, SECTIONS, type Section, sectionOf } from "./catalog-content.ts";
import { type Fault, isRecord } from "./catalog-schema.ts";

const FAULTS_SHOWN = 20;

/** A catalog file cannot be used. Each line says where and why. */
export class CatalogFileFault extends Error {}

/** What a catalog file holds, and how a fault in it is told by line. */
export interface CatalogFile {
  input: CatalogInput;
  /** The faults in words, each with its line; the first ones, when there are many. */
  describe(faults: readonly Fault[]): string;
}

/**
 * Reads a catalog file: one list of offers of any families, or an object with a list for each section
 * (see `CatalogContent`).
 * @throws CatalogFileFault for what is not UTF-8, not JSON or in neither of the two forms
 */
export function readCatalogFile(bytes: Uint8Array): CatalogFile {
  const text = decode(bytes);
  try {
    checkJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { line, column } = placeOf(text, error.offset);
    throw new CatalogFileFault(`line ${line}, column ${column}: the text ${error.message}.`);
  }
  const value: unknown = JSON.parse(text);
  const { input, faults, origins } = Array.isArray(value) ? readList(value) : readSections(value);

  function describe(found: readonly Fault[]): string {
    const shown = found.slice(0, FAULTS_SHOWN).map(({ path, message }) => {
      const [section, index, ...rest] = path;
      const list = origins?.[section as Section];
      const origin = list === undefined ? path : [list[Number(index)] ?? 0, ...rest];
      return { path: origin, message };
    });
    return describeFaults(text, shown, found.length);
  }

  if (faults.length > 0) {
    throw new CatalogFileFault(describeFaults(text, faults.slice(0, FAULTS_SHOWN), faults.length));
  }
  return { input, describe };
}

/** The catalog as a file: one item a line, so that a change of one is a difference of one line. */
export function formatCatalogFile(content: CatalogContent): string {
  const sections = SECTIONS.map((section) => {
    const lines = content[section].map((item) => `\n    ${JSON.stringify(item)}`);
    return `  "${section}": [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${sections.join(",\n")}\n}\n`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CatalogFileFault("The text is not UTF-8.");
  }
}

interface Found {
  input: CatalogInput;
  faults: Fault[];
  /** Where in the one list the items of each section stood. */
  origins?: Partial<Record<Section, number[]>>;
}

function readList(offers: readonly unknown[]): Found {
  const input: Partial<Record<Section, unknown[]>> = {};
  const origins: Partial<Record<Section, number[]>> = {};
  const faults: Fault[] = [];
  for (const [index, offer] of offers.entries()) {
    const productType = isRecord(offer) ? offer.productType : undefined;
    const section = isFamily(productType) ? sectionOf(productType) : undefined;
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

function readSections(value: unknown): Found {
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

function describeFaults(text: string, faults: readonly Fault[], total: number): string {
  const offsets = locateValues(
    text,
    faults.map(({ path }) => path),
  );
  const lines = faults.map(({ path, message }, index) => {
    const { line } = placeOf(text, offsets[index] ?? 0);
    return `line ${line}: ${nameOf(path)} ${message}.`;
  });
  if (total > faults.length) lines.push(`… and ${total - faults.length} more.`);
  return lines.join("\n");
}

/** As in `topups[3].price.max`. */
function nameOf(path: JsonPath): string {
  const name = path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
  return name === "" ? "the file" : name;
}
