import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OUTSIDE_THE_BUNDLE } from "../bundles.ts";
import { takeFeedKey } from "../feed-key.ts";
import { bundleProgram } from "../program-bundles.ts";
import { DATA_FILES, writeThirdPartyLicenses } from "../shipped-files.ts";
import {
  copyLibrary,
  findLibraries,
  type Library,
  readVersion,
  type Target,
} from "../shipped-libraries.ts";

/**
 * Makes the folder that becomes the desktop program's archive: its main program in bundles, the
 * preload script, the pages, the data, and the libraries that cannot be bundled, for one target.
 * @param root the project, with its pages and its preload script built
 * @param folder made anew
 * @param feedKey the public key that it believes a feed of updates by, as PEM
 * @returns everything of others that is inside
 */
export async function makeAppFolder(
  root: string,
  folder: string,
  target: Target,
  feedKey: string | undefined,
): Promise<readonly Library[]> {
  await rm(folder, { recursive: true, force: true });
  const version = await readVersion(root);
  const bundled = await bundleProgram(root, join(folder, "out/main"), {
    input: { main: join(root, "electron/main.ts") },
    format: "esm",
    external: [/^electron(\/|$)/],
  });
  for (const file of [
    "out/renderer",
    "out/preload",
    ...DATA_FILES,
    "resources/desktop/tray.png",
    "LICENSE",
    "CHANGELOG.md",
  ]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file), { recursive: true });
  }
  await takeFeedKey(folder, feedKey);
  const copied = await findLibraries(root, OUTSIDE_THE_BUNDLE);
  for (const library of copied) await copyLibrary(library, join(folder, "node_modules"), target);
  const names = [...bundled, ...copied.map(({ name }) => name)];
  const libraries = await writeThirdPartyLicenses(root, folder, names);
  const described = {
    name: "tillgate",
    productName: "Tillgate",
    version,
    description: "Point of sale and gateway for shops that sell prepaid products",
    author: "Tillgate",
    license: "MIT",
    type: "module",
    private: true,
    main: "out/main/main.js",
    dependencies: Object.fromEntries(copied.map(({ name, version: its }) => [name, its])),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  return libraries;
}
