import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LICENSE_FILE, type Library, readLibrary } from "./shipped-libraries.ts";

/** Licences that permit use, sale and change of the program without publishing its source code. */
const ALLOWED = new Set(
  `MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0
   CC0-1.0 Unlicense OFL-1.1 Python-2.0 Zlib`.split(/\s+/),
);

/** Guides that the gateway serves at /docs. */
const GUIDES = [
  "docs/contribute.md",
  "docs/glossary.md",
  "docs/install.md",
  "docs/integrate.md",
  "docs/operate.md",
  "docs/performance.md",
  "docs/release.md",
  "docs/reliability.md",
  "docs/rules.md",
  "docs/run-the-shop.md",
  "docs/sell.md",
];

export const DATA_FILES = [
  ...GUIDES,
  "docs/images",
  "docs/samples",
  "resources/catalog/sandbox.json",
  "resources/fonts",
  "resources/phone/carrier-prefixes.json",
  "resources/rates/reference-rates.json",
];

/**
 * Writes the licences of the given libraries, of the pages' libraries, and of the fonts.
 * @returns libraries and fonts whose licences were written
 * @throws Error that names the libraries that may not be shipped
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

async function readPageLibraries(root: string): Promise<string[]> {
  const file = join(root, "out/page-libraries.json");
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error("The till's pages are not built: run npm run build.");
  });
  return JSON.parse(text) as string[];
}

export function shippedFonts(root: string): Library {
  return {
    name: "IBM Plex Sans and IBM Plex Sans Arabic",
    version: "3.201 and 1.101",
    folder: join(root, "resources/fonts"),
    license: "OFL-1.1",
    dependencies: [],
  };
}

async function readLibraries(root: string, names: Iterable<string>): Promise<Library[]> {
  const found = [...names].map((name) => readLibrary(name, root));
  return (await Promise.all(found)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @throws Error that names every library with a forbidden licence */
export function requireAllowedLicenses(libraries: readonly Library[]): void {
  const refused = libraries.filter(({ license }) => !isAllowed(license));
  if (refused.length === 0) return;
  const names = refused.map(({ name, license }) => `${name} (${license})`).join(", ");
  throw new Error(`These libraries may not be shipped by their licences: ${names}.`);
}

/** Returns true for "A OR B" if one licence is allowed, and for "A AND B" if both are. */
export function isAllowed(license: string): boolean {
  const either = license.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return either.some((one) => one.split(" AND ").every((part) => ALLOWED.has(part.trim())));
}

export async function formatLicenses(libraries: readonly Library[]): Promise<string> {
  const parts = await Promise.all(
    libraries.map(async (library) => {
      const { name, version, license } = library;
      const words = await readLicenseFiles(library);
      return `${name} ${version}\n${license}\n\n${words.join("\n\n") || "It brings no file with its licence."}\n`;
    }),
  );
  const head = `Tillgate is made with the work of others. These are the ${libraries.length} libraries that it ships.\n`;
  return [head, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

async function readLicenseFiles({ folder }: Library): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => LICENSE_FILE.test(name)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim());
}
