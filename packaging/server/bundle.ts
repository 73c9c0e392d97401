import { join } from "node:path";
import { rolldown } from "rolldown";
import { libraryOf } from "../shipped-libraries.ts";

/**
 * Libraries that cannot become part of a bundle: they look for files of their own beside their code.
 * They are copied, with what they need.
 */
export const OUTSIDE_THE_BUNDLE = ["better-sqlite3", "@fastify/swagger-ui"];

/**
 * Bundles the gateway and its command line, with every library but those, flat in one folder: the
 * program looks for its other files one level above its bundles.
 * @param root the project's folder
 * @param target the folder for the bundles, made when it is not there
 * @returns the names of the libraries whose code is in the bundles
 */
export async function bundleServer(root: string, target: string): Promise<Set<string>> {
  const bundle = await rolldown({
    input: {
      main: join(root, "server/main.ts"),
      tillgate: join(root, "server/admin/tillgate.ts"),
      // Started as a thread, from beside the bundle that starts it.
      "background-thread": join(root, "server/background/background-thread.ts"),
    },
    platform: "node",
    external: OUTSIDE_THE_BUNDLE.map((name) => new RegExp(`^${name}(/|$)`)),
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  return new Set(modules.flatMap((id) => libraryOf(id) ?? []));
}
