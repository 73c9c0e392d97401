import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPackage } from "@electron/asar";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { Resvg } from "@resvg/resvg-js";
import { Arch, build, type Configuration, Platform } from "electron-builder";
import { OUTSIDE_THE_BUNDLE } from "../bundles.ts";
import { requireKeyInside, sayFeedKey, takeFeedKey } from "../feed-key.ts";
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

export function readSigning(env: Readonly<Record<string, string | undefined>>): Signing {
  return {
    windows: Boolean(env.WIN_CSC_LINK || env.CSC_LINK),
    mac: Boolean(env.CSC_LINK || env.CSC_NAME),
    notarised: Boolean(env.APPLE_API_KEY || (env.APPLE_ID && env.APPLE_APP_SPECIFIC_PASSWORD)),
  };
}

interface Order {
  readonly platform: DesktopPlatform;
  readonly signing: Signing;
  readonly feed: string | undefined;
  readonly feedKey: string | undefined;
}

/** Returns a line for each skipped step, with the missing variable. */
export function sayWhatIsMissing({ platform, signing, feed, feedKey }: Order): string[] {
  const lines: string[] = [];
  if (platform === "win32" && !signing.windows) {
    lines.push("Not signed: Windows warns who installs it. It needs WIN_CSC_LINK.");
  }
  if (platform === "darwin" && !signing.mac) {
    lines.push("Not signed: macOS does not start it. It needs CSC_LINK, on a Mac.");
  }
  if (platform === "darwin" && !signing.notarised) {
    lines.push("Not notarised: macOS warns who opens it. It needs APPLE_API_KEY, on a Mac.");
  }
  if (feed === undefined) lines.push("No feed: it finds no updates. It needs --feed.");
  else if (feedKey === undefined) {
    lines.push(sayFeedKey(feedKey));
  }
  return lines;
}

const FETCHED: Record<DesktopPlatform, string> = {
  linux: "Electron's runtime and what makes AppImage and .deb (fpm)",
  win32: "Electron's runtime and what makes a setup program (NSIS)",
  darwin: "Electron's runtime and what makes a disk image",
};
const SYSTEMS: Record<DesktopPlatform, string> = {
  linux: "Linux",
  win32: "Windows",
  darwin: "macOS",
};

export function sayWhyNotMade(error: unknown, platform: DesktopPlatform): string {
  const message = error instanceof Error ? error.message : String(error);
  const [reason = ""] = message.split("\n");
  if (!isOfNetwork(error)) return `Not made: ${reason}`;
  return `Not made: ${reason}. It needs the network once: ${FETCHED[platform]} come from github.com, or from ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR. --stand-in --folder checks all else without.`;
}

export function sayWrongSystem(platform: DesktopPlatform): string {
  const system = SYSTEMS[platform];
  return `Not made: a program for ${system} needs a machine with ${system}, such as the workflow's (.github/workflows/release.yml): its packer takes that system's own tools.`;
}

function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPROTO|CERT_\w+|ERR_NON_2XX_3XX_RESPONSE)$/.test(
      code,
    ) || /^(RequestError|TimeoutError|HTTPError)$/.test(error.name)
  );
}

interface Making {
  readonly electronVersion: string;
  /** If undefined, electron-builder downloads Electron's runtime. */
  readonly runtime: string | undefined;
  readonly icons: Icons;
  readonly output: string;
  readonly feed: string | undefined;
  readonly signing: Signing;
  readonly afterRemove: string;
}

interface Signing {
  readonly windows: boolean;
  readonly mac: boolean;
  readonly notarised: boolean;
}

/**
 * The targets must not name a processor: electron-builder would also build for it, but the
 * program's folder has native code for only one.
 */
export function desktopConfig(making: Making): Configuration {
  const { electronVersion, runtime, icons, output, feed, signing, afterRemove } = making;
  return {
    appId: "app.tillgate.desktop",
    productName: "Tillgate",
    // A till finds the installer for its processor by this name.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the packer puts the values in
    artifactName: "${productName}-${version}-${os}-${arch}.${ext}",
    copyright: "Copyright © Tillgate's authors, MIT licence",
    electronVersion,
    ...(runtime !== undefined && { electronDist: runtime }),
    directories: { output },
    files: ["**/*"],
    asar: true,
    // Operating systems load native code only from files outside an archive.
    asarUnpack: ["node_modules/better-sqlite3/prebuilds/**"],
    // better-sqlite3 ships binaries for every target.
    npmRebuild: false,
    electronFuses: FUSES,
    protocols: [{ name: "Tillgate", schemes: ["tillgate"] }],
    publish: feed === undefined ? null : { provider: "generic", url: feed },
    linux: {
      target: ["AppImage", "deb"],
      icon: icons.linux,
      category: "Office",
      executableName: "tillgate",
      maintainer: "Tillgate <maintainers@tillgate.invalid>",
    },
    win: {
      target: ["nsis"],
      icon: icons.windows,
      verifyUpdateCodeSignature: signing.windows,
    },
    // Both packages contain a command `tillgate`, so they cannot be installed together.
    deb: {
      packageName: "tillgate-desktop",
      fpm: ["--conflicts", "tillgate"],
      afterRemove,
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      deleteAppDataOnUninstall: false,
      include: join(import.meta.dirname, "uninstall.nsh"),
    },
    mac: {
      target: ["dmg", "zip"],
      icon: icons.mac,
      category: "public.app-category.business",
      hardenedRuntime: true,
      notarize: signing.notarised,
      ...(!signing.mac && { identity: null }),
    },
  };
}

/**
 * Fuses with which the program cannot run as Node, ignores Node's options and debuggers, loads code
 * only from its unchanged archive, and encrypts cookies.
 */
const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
} as const;

const PLACES: Record<keyof typeof FUSES, FuseV1Options> = {
  runAsNode: FuseV1Options.RunAsNode,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
};

/** @throws Error that names the wrong fuses */
export async function requireFuses(program: string): Promise<void> {
  const wire = await getCurrentFuseWire(program);
  const wrong = Object.entries(FUSES).filter(([name, isOn]) => {
    const state = wire[PLACES[name as keyof typeof FUSES]];
    return state !== (isOn ? FuseState.ENABLE : FuseState.DISABLE);
  });
  if (wrong.length === 0) return;
  throw new Error(`These fuses are not set: ${wrong.map(([name]) => name).join(", ")}.`);
}

const LINUX_SIZES = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024] as const;
/** Sizes in an `.ico` file, in pixels. */
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 128, 256] as const;
/** Types of the PNG pictures in an `.icns` file, with their sizes. */
const MAC_TYPES = { ic11: 32, ic12: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024 } as const;

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const ICNS_HEADER_BYTES = 8;

export interface Icons {
  /** Path of a folder with PNGs, each named by its size. */
  readonly linux: string;
  readonly windows: string;
  readonly mac: string;
}

export async function makeIcons(into: string): Promise<Icons> {
  const drawing = await readFile(join(import.meta.dirname, "icon.svg"));
  const draw = (size: number) =>
    new Resvg(drawing, { fitTo: { mode: "width", value: size } }).render().asPng();
  const icons = {
    linux: join(into, "linux"),
    windows: join(into, "icon.ico"),
    mac: join(into, "icon.icns"),
  };
  await mkdir(icons.linux, { recursive: true });
  for (const size of LINUX_SIZES) {
    await writeFile(join(icons.linux, `${size}x${size}.png`), draw(size));
  }
  await writeFile(icons.windows, toIco(WINDOWS_SIZES.map((size) => ({ size, png: draw(size) }))));
  await writeFile(
    icons.mac,
    toIcns(Object.entries(MAC_TYPES).map(([type, size]) => ({ type, png: draw(size) }))),
  );
  return icons;
}

function toIco(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length;
  const entries = pictures.map(({ size, png }) => {
    const entry = Buffer.alloc(ICO_ENTRY_BYTES);
    // A size of 256 does not fit into a byte and is written as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...pictures.map(({ png }) => png)]);
}

function toIcns(pictures: readonly { type: string; png: Buffer }[]): Buffer {
  const parts = pictures.map(({ type, png }) => Buffer.concat([headed(type, png.length), png]));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([headed("icns", length), ...parts]);
}

function headed(type: string, length: number): Buffer {
  const header = Buffer.alloc(ICNS_HEADER_BYTES);
  header.write(type, "latin1");
  header.writeUInt32BE(ICNS_HEADER_BYTES + length, 4);
  return header;
}
