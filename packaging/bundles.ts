import { join } from "node:path";
import type { Plugin, RolldownBuild } from "rolldown";
import { libraryOf } from "./shipped-libraries.ts";

/**
 * Libraries that cannot become part of a bundle: they look for files of their own beside their code.
 * They are copied, with what they need.
 */
export const OUTSIDE_THE_BUNDLE = ["better-sqlite3", "@fastify/swagger-ui"];

const LEFT_OUT = join(import.meta.dirname, "left-out.ts");
/** The files that call a log, which pino hands to its threads; ours has none. */
const CALLERS = /\/pino\/lib\/caller\.js$/;
const UNUSED = /^glob$|typebox.*\/(idn_email|idn_hostname|hostname)\.mjs$/;

/**
 * What is left out of bundles, though a library names it as it is read: it serves what is not asked for here.
 * `glob` lists the files of a folder, for `@fastify/static` without its wildcard; typebox's formats of names with
 * letters of all languages, which no schema has, are expressions that take 3 ms to read. To tell pino who calls it,
 * Node counts the lines of a whole bundle, which takes 4 ms. Fastify's own compilers
 * stay: without them a start takes a tenth more processor time (decision 0074).
 */
export const withoutUnused: Plugin = {
  name: "without-unused",
  resolveId(name, from) {
    return UNUSED.test(name.startsWith(".") ? join(from ?? "", "..", name) : name)
      ? LEFT_OUT
      : null;
  },
  load(id) {
    return CALLERS.test(id) ? { code: "module.exports = () => {};", moduleType: "js" } : null;
  },
};

export function outsideTheBundle(): RegExp[] {
  return OUTSIDE_THE_BUNDLE.map((name) => new RegExp(`^${name}(/|$)`));
}

/** How the bundles of a program are written. */
export interface BundleForm {
  /** "cjs" for one whose bundles V8 may be given with what it has made of them before (`server/gateway/kept-code.ts`). */
  readonly format: "esm" | "cjs";
  /** In which bundle a module is to be; null where that is not said. */
  readonly nameOf?: (id: string) => string | null;
}

/**
 * Writes bundles, flat in one folder.
 * @returns the names of the libraries whose code is in them, and the files of the bundles by their names
 */
export async function writeBundles(
  bundle: RolldownBuild,
  into: string,
  { format, nameOf }: BundleForm,
): Promise<{ libraries: Set<string>; files: Map<string, string> }> {
  const { output } = await bundle.write({
    dir: into,
    format,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // A letter outside ASCII makes Node keep the whole file with two bytes for each of its letters.
    charset: "ascii",
    comments: { legal: true, annotation: false, jsdoc: false },
    // What is not bundled is read as the bundles are.
    dynamicImportInCjs: false,
    ...(nameOf && {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: "start", name: nameOf }],
      },
    }),
  });
  await bundle.close();
  const chunks = output.filter((part) => part.type === "chunk");
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  return {
    libraries: new Set(modules.flatMap((id) => libraryOf(id) ?? [])),
    files: new Map(chunks.map(({ name, fileName }) => [name, fileName])),
  };
}
