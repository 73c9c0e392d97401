import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { SECTIONS, type Section } from "../../../contract/catalog-content.ts";
import { pause } from "../../../lib/clock.ts";
import type { CatalogInput } from "./catalog-check.ts";

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
