import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPackage } from "@electron/asar";
import { Arch, build, Platform } from "electron-builder";
import { OUTSIDE_THE_BUNDLE } from "../bundles.ts";
import { requireKeyInside, takeFeedKey } from "../feed-key.ts";
import { bundleProgram } from "../program-bundles.ts";
import { writeBillOfMaterials } from "../release/bill-of-materials.ts";
import { DATA_FILES, writeThirdPartyLicenses } from "../shipped-files.ts";
import {
  copyLibrary,
  findLibraries,
  type Library,
  readLibrary,
  readVersion,
  type Target,
} from "../shipped-libraries.ts";
import { desktopConfig, type Making } from "./builder-config.ts";
import { requireFuses } from "./fuses.ts";
import { makeIcons } from "./icons.ts";
import { type DesktopPlatform, fusedProgram, packedFolder } from "./packed-folder.ts";

const SAYS_WHERE = `
case "$1" in
remove | purge)
  echo "The data of each user's shop is still in ~/.local/share/tillgate."
  ;;
esac
`;

/** Writes electron-builder's removal script with an added message about the shop's data folder. */
export async function writeAfterRemove(file: string): Promise<string> {
  const packer = createRequire(import.meta.resolve("electron-builder"));
  const own = packer.resolve("app-builder-lib/templates/linux/after-remove.tpl");
  await writeFile(file, (await readFile(own, "utf8")).trimEnd() + SAYS_WHERE);
  return file;
}

const PLATFORMS = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC } as const;
const NAMES = { linux: "linux", win32: "win", darwin: "mac" } as const;

interface DesktopOrder extends Pick<Making, "runtime" | "feed" | "signing"> {
  readonly platform: DesktopPlatform;
  readonly arch: Target["arch"];
  readonly onlyFolder: boolean;
  readonly feedKey?: string | undefined;
}

/**
 * Makes the desktop program and its bill of materials.
 * @returns the folder of the unpacked program, and the installers
 */
export async function makeDesktopPackage(
  root: string,
  into: string,
  { platform, arch, onlyFolder, runtime, feed, feedKey, signing }: DesktopOrder,
): Promise<{ folder: string; installers: string[] }> {
  const work = join(into, "desktop-work");
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  const app = join(work, "app");
  const libraries = await makeAppFolder(root, app, { platform, arch }, feedKey);
  const electron = await readLibrary("electron", root);
  const icons = await makeIcons(join(work, "icons"));
  const config = desktopConfig({
    electronVersion: electron.version,
    runtime,
    icons,
    output: into,
    feed,
    signing,
    afterRemove: await writeAfterRemove(join(work, "after-remove")),
  });
  const target = onlyFolder ? "dir" : undefined;
  const targets = PLATFORMS[platform].createTarget(target, Arch[arch]);
  const installers = await build({ targets, config, projectDir: app, publish: "never" });
  const folder = join(into, packedFolder(platform, arch));
  await requireFuses(join(folder, fusedProgram(platform)));
  if (feedKey !== undefined) requireKeyInside(join(folder, archiveOf(platform)), feedKey);
  await writeBill(root, into, `${NAMES[platform]}-${arch}`, [...libraries, electron]);
  await rm(work, { recursive: true, force: true });
  return { folder, installers };
}

function archiveOf(platform: DesktopPlatform): string {
  return platform === "darwin" ? "Tillgate.app/Contents/Resources/app.asar" : "resources/app.asar";
}

async function writeBill(
  root: string,
  into: string,
  target: string,
  libraries: readonly Library[],
): Promise<void> {
  const version = await readVersion(root);
  const file = join(into, `Tillgate-${version}-${target}.cdx.json`);
  await writeFile(file, writeBillOfMaterials(version, libraries));
}

/**
 * Makes the folder that becomes the desktop program's archive.
 * @param root project folder, with the pages and the preload script already built
 * @param folder the folder to fill; emptied first
 * @param feedKey public key of the update feed, as PEM
 * @returns the libraries in the folder
 */
async function makeAppFolder(
  root: string,
  folder: string,
  target: Target,
  feedKey: string | undefined,
): Promise<readonly Library[]> {
  await rm(folder, { recursive: true, force: true });
  const version = await readVersion(root);
  const bundled = await bundleProgram(root, join(folder, "out/main"), {
    input: { main: join(root, "electron/main.ts") },
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

/** Marker of the fuses in Electron's program. */
const SENTINEL = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
const FUSE_COUNT = 9;

/**
 * Makes a placeholder for Electron's runtime: a program that contains only fuses, with the version,
 * licences and a real archive. It does not start.
 */
export async function makeStandInRuntime(folder: string, version: string): Promise<void> {
  await mkdir(join(folder, "resources"), { recursive: true });
  const fuses = Buffer.concat([
    Buffer.from("#!/bin/sh\necho 'This is not Electron.' >&2; exit 1\n"),
    Buffer.from(SENTINEL),
    Buffer.from([1, FUSE_COUNT]),
    Buffer.alloc(FUSE_COUNT, "0"),
  ]);
  await writeFile(join(folder, "electron"), fuses, { mode: 0o755 });
  await writeFile(join(folder, "version"), version);
  for (const name of ["LICENSE", "LICENSES.chromium.html"]) {
    await writeFile(join(folder, name), "The licence of the real runtime stands here.\n");
  }
  const source = await mkdtemp(join(tmpdir(), "tillgate-default-app-"));
  await writeFile(join(source, "package.json"), JSON.stringify({ main: "main.js" }));
  await writeFile(join(source, "main.js"), "");
  await createPackage(source, join(folder, "resources/default_app.asar"));
  await rm(source, { recursive: true });
}
