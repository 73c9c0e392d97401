/**
 * Builds `out/` if it is missing or older than its sources. Can also be run as a command: `node
 * electron/launch/ensure-built.ts`.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { showProgress } from "./run-child.ts";

const ROOT = join(import.meta.dirname, "../..");
const STAMP = "out/.built-from";
const PRODUCTS = [
  "out/main/main.js",
  "out/main/background-thread.js",
  "out/preload/preload.cjs",
  "out/renderer/index.html",
];
/** Includes the gateway's sources, because the desktop's main script contains them. */
const SOURCES = [
  "electron/**/*",
  "renderer/**/*",
  "server/**/*",
  "electron.vite.config.ts",
  "package-lock.json",
  "postcss.config.*",
  "tsconfig.json",
];
const NOT_BUILT = /\.test\.tsx?$|\.md$|(^|\/)testing\/|^electron\/launch\//;

export async function ensureBuilt(root: string = ROOT): Promise<"built" | "fresh"> {
  const fingerprint = fingerprintOf(root);
  if (isFresh(root, fingerprint)) {
    return "fresh";
  }
  const progress = showProgress("Building the till");
  try {
    await build(root);
  } finally {
    progress.end();
  }
  writeFileSync(join(root, STAMP), fingerprint);
  return "built";
}

/** Hashes the sources' contents, not times, because a checkout changes the times of all files. */
export function fingerprintOf(root: string): string {
  const hash = createHash("sha256");
  const entries = globSync(SOURCES, { cwd: root, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !NOT_BUILT.test(path));
  for (const path of files.toSorted()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

function isFresh(root: string, fingerprint: string): boolean {
  const stamp = join(root, STAMP);
  return (
    PRODUCTS.every((product) => existsSync(join(root, product))) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === fingerprint
  );
}

/** Prints nothing unless the build fails, because a bundler's output does not help a clerk. */
function build(root: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = join(root, "node_modules/electron-vite/bin/electron-vite.js");
    const child = spawn(process.execPath, [script, "build"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`The build failed.\n${Buffer.concat(said).toString("utf8").trim()}`));
      }
    });
  });
}

if (import.meta.main) {
  try {
    await ensureBuilt();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
