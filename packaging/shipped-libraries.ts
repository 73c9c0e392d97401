import { cp, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, sep } from "node:path";

export interface Target {
  readonly platform: "linux" | "linuxmusl" | "darwin" | "win32";
  readonly arch: "x64" | "arm64";
}

export interface Library {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly license: string;
  readonly dependencies: readonly string[];
}

/** Libraries needed only to compile native code. The shipped native code is already compiled. */
const FOR_COMPILING = new Set(["node-addon-api"]);

/** Licences that only a licence file states, not `package.json`. */
const STATED_IN_FILE: Readonly<Record<string, string>> = { "png-js": "MIT" };

interface PackageDescription {
  name: string;
  version: string;
  license?: string | { type?: string };
  dependencies?: Record<string, string>;
}

export async function readVersion(folder: string): Promise<string> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  return (JSON.parse(text) as PackageDescription).version;
}

const NOT_SHIPPED_FOLDERS = new Set(
  "test tests __tests__ e2e example examples benchmark benchmarks coverage node_modules".split(" "),
);
const NATIVE_SOURCES = new Set(["better-sqlite3/deps", "better-sqlite3/src"]);
const NOT_SHIPPED_FILES = /\.(ts|mts|cts|map|md|markdown|gyp|flow|tsbuildinfo)$|^\.|config\.m?js$/i;
export const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * Returns the libraries and all their dependencies, each once.
 * @throws Error if a library is not installed, or is needed in two versions
 */
export async function findLibraries(root: string, names: readonly string[]): Promise<Library[]> {
  const found = new Map<string, Library>();
  const waiting = names.map((name) => ({ name, from: root }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const library = await readLibrary(next.name, next.from);
    const known = found.get(library.name);
    if (known && known.version !== library.version) {
      throw new Error(`${library.name} is needed as ${known.version} and as ${library.version}.`);
    }
    if (known) continue;
    found.set(library.name, library);
    waiting.push(...library.dependencies.map((name) => ({ name, from: library.folder })));
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the name of the library that contains a file; undefined for the project's own files. */
export function libraryOf(file: string): string | undefined {
  return /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/
    .exec(file)?.[1]
    ?.replaceAll("\\", "/");
}

/** Returns the library that code in the folder `from` imports by the name. */
export async function readLibrary(name: string, from: string): Promise<Library> {
  const folders = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const file = join(folder, name, "package.json");
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const described = JSON.parse(text) as PackageDescription;
    const { license } = described;
    return {
      name: described.name,
      version: described.version,
      folder: dirname(file),
      license:
        typeof license === "string"
          ? license
          : (license?.type ?? STATED_IN_FILE[described.name] ?? "unknown"),
      dependencies: Object.keys(described.dependencies ?? {}).filter(
        (one) => !FOR_COMPILING.has(one),
      ),
    };
  }
  throw new Error(`${name} is not installed; run npm ci.`);
}

export async function copyLibrary(library: Library, into: string, target: Target): Promise<void> {
  const to = join(into, library.name);
  await mkdir(to, { recursive: true });
  await cp(library.folder, to, {
    recursive: true,
    dereference: true,
    filter: (from) => from === library.folder || isShipped(library, from, target),
  });
}

function isShipped(library: Library, file: string, { platform, arch }: Target): boolean {
  const inside = file.slice(library.folder.length + 1);
  const name = basename(file);
  if (LICENSE_FILE.test(name)) return true;
  if (inside.split(sep)[0] === "prebuilds") {
    return inside === "prebuilds" || name === `${platform}-${arch}.node`;
  }
  const isUnused =
    (!inside.includes(sep) && NOT_SHIPPED_FOLDERS.has(name)) ||
    NATIVE_SOURCES.has(`${library.name}/${inside}`);
  return !isUnused && !NOT_SHIPPED_FILES.test(name);
}
