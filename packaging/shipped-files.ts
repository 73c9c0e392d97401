import { createPublicKey } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FEED_KEY_FILE } from "../server/index.ts";
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
  "resources/rates/reference-rates.json",
];

/** Brings the public key along that this build believes a feed of updates by; none where it is left out. */
export async function takeFeedKey(folder: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const key = createPublicKey(await readFile(file, "utf8"));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${file} is no public Ed25519 key.`);
  const pem = key.export({ type: "spki", format: "pem" });
  await writeFile(join(folder, "resources", FEED_KEY_FILE), pem);
}

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
