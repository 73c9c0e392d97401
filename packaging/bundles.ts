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
 * stay: without them a start takes a tenth more processor time (decision 0079).
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

/**
 * Writes bundles, flat in one folder.
 * @param nameOf in which bundle a module is to be; null where that is not said
 * @returns the names of the libraries whose code is in them
 */
export async function writeBundles(
  bundle: RolldownBuild,
  into: string,
  nameOf?: (id: string) => string | null,
): Promise<Set<string>> {
  const { output } = await bundle.write({
    dir: into,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // A letter outside ASCII makes Node keep the whole file with two bytes for each of its letters.
    charset: "ascii",
    comments: { legal: true, annotation: false, jsdoc: false },
    ...(nameOf && {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: "start", name: nameOf }],
      },
    }),
  });
  await bundle.close();
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  return new Set(modules.flatMap((id) => libraryOf(id) ?? []));
}
