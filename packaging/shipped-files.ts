import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Library } from "./shipped-libraries.ts";
import {
  formatLicenses,
  readLibraries,
  readPageLibraries,
  requireAllowedLicenses,
  shippedFonts,
} from "./third-party.ts";

/** What the running program reads, beside its pages. */
export const DATA_FILES = [
  "resources/catalog/sandbox.json",
  "resources/fonts",
  "resources/phone/carrier-prefixes.json",
  "resources/postgres/schema.sql",
  "resources/rates/reference-rates.json",
];

/**
 * Writes the licences of everything that a package holds: these libraries, those of the pages, the fonts.
 * @returns what has one
 * @throws Error naming what may not be shipped
 */
export async function writeThirdPartyLicenses(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<Library[]> {
  const shipped = new Set([...names, ...(await readPageLibraries(root))]);
  const libraries = [...(await readLibraries(root, shipped)), shippedFonts(root)];
  requireAllowedLicenses(libraries);
  await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), await formatLicenses(libraries));
  return libraries;
}
