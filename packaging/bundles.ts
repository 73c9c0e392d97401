import { join } from "node:path";
import type { Plugin, RolldownBuild } from "rolldown";
import { libraryOf } from "./shipped-libraries.ts";

/** Libraries that load files beside their own code. They are copied, not bundled. */
export const OUTSIDE_THE_BUNDLE = ["better-sqlite3", "@fastify/swagger-ui"];

const LEFT_OUT = join(import.meta.dirname, "left-out.ts");
/**
 * Functions that find the caller of a log function, for pino's threads. Tillgate's log does not use
 * them.
 */
const CALLERS = /\/pino\/lib\/caller\.js$/;
const UNUSED = /^glob$|typebox.*\/(idn_email|idn_hostname|hostname)\.mjs$/;

/**
 * Leaves out parts of libraries that the program never calls:
 * - `@fastify/static` needs `glob` only for its wildcard option.
 * - typebox's formats of internationalized names are regular expressions that take 3 ms to compile.
 * - To find a caller for pino, Node counts the lines of a whole bundle, which takes 4 ms.
 *
 * Fastify's own compilers are not left out: without them a start takes a tenth more processor time
 * (decision 0079).
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
 * @param nameOf returns the bundle's name for a module; null leaves the choice to the bundler
 * @returns names of the bundled libraries
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
    // A single character outside Latin-1 makes Node store the file with two bytes per character.
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
