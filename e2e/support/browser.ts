/**
 * The browser of the end-to-end tests: an installed Chrome or Chromium, else Playwright's, else the
 * browser of @sparticuz/chromium, which needs neither root nor a package manager.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";

export interface Browser {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/**
 * Usual install locations, preferred locations first. Names without a slash are looked up on the
 * PATH.
 */
const USUAL_PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  ],
};

/** Finds an installed browser, or unpacks one. The first call may need seconds to unpack it. */
export async function provideBrowser(): Promise<Browser> {
  const installed = findInstalled();
  if (installed !== undefined) {
    return { executablePath: installed, args: [], env: ownEnvironment() };
  }
  if (process.platform === "linux" && process.arch === "x64") {
    return await unpackChromium();
  }
  throw new Error(
    "No Chrome or Chromium found. Install one, name it in CHROME_PATH, or run `npx playwright install chromium`.",
  );
}

function findInstalled(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== "") {
    if (!isExecutable(named)) {
      throw new Error(`CHROME_PATH names ${named}, which cannot be run.`);
    }
    return named;
  }
  const places = (USUAL_PLACES[process.platform] ?? []).flatMap(onPath);
  return [...places, chromium.executablePath()].find(isExecutable);
}

function onPath(place: string): string[] {
  if (place.includes("/") || place.includes("\\")) {
    return [place];
  }
  return (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, place));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks @sparticuz/chromium into node_modules/.cache, once per version. Each worker unpacks into
 * its own folder, and the first to finish renames its folder to the target.
 */
async function unpackChromium(): Promise<Browser> {
  const root = join(import.meta.dirname, "../..");
  const cache = join(root, "node_modules/.cache");
  const { version } = createRequire(import.meta.url)(
    join(root, "node_modules/@sparticuz/chromium/package.json"),
  ) as { version: string };
  const home = join(cache, `chromium-${version}`);
  if (!existsSync(home)) {
    await mkdir(cache, { recursive: true });
    const stage = await mkdtemp(join(cache, "chromium-unpacking-"));
    // The package unpacks into TMPDIR, which can be set only for a separate process.
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, "unpack-chromium.ts")], {
      env: { ...process.env, TMPDIR: stage },
    });
    await rename(stage, home).catch(async (error: unknown) => {
      await rm(stage, { recursive: true, force: true });
      if (!existsSync(home)) {
        throw error;
      }
    });
  }
  const fontsConf = join(home, "fonts.conf");
  await writeOnce(fontsConf, fontConfiguration(home));
  return {
    executablePath: join(home, "chromium"),
    args: ["--no-sandbox"],
    env: {
      ...ownEnvironment(),
      LD_LIBRARY_PATH: [join(home, "al2023/lib"), process.env.LD_LIBRARY_PATH]
        .filter(Boolean)
        .join(delimiter),
      FONTCONFIG_FILE: fontsConf,
    },
  };
}

/** Writes a file only if its text differs, because another browser may be reading it. */
async function writeOnce(path: string, text: string): Promise<void> {
  const present = await readFile(path, "utf8").catch(() => undefined);
  if (present !== text) {
    await writeFile(path, text);
  }
}

/**
 * Returns a font configuration: the machine's fonts, and the package's Open Sans (Latin, Greek,
 * Cyrillic and Hebrew) for machines without fonts.
 */
function fontConfiguration(home: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    `  <dir>${join(home, "fonts/fonts")}</dir>`,
    `  <cachedir>${join(home, "fontconfig-cache")}</cachedir>`,
    "</fontconfig>",
    "",
  ].join("\n");
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
