import { join } from "node:path";
import { type InputOptions, type Plugin, rolldown } from "rolldown";
import { outsideTheBundle, withoutUnused, writeBundles } from "./bundles.ts";

interface Program {
  /** Entry files by bundle name. */
  readonly input: Record<string, string>;
  /** Modules that the target provides, in addition to libraries that cannot be bundled. */
  readonly external?: readonly RegExp[];
}

/**
 * Bundles a program that runs a gateway, and its worker thread, whose tasks have separate bundles.
 * @returns names of the bundled libraries
 */
export async function bundleProgram(
  root: string,
  target: string,
  { input, external = [] }: Program,
): Promise<Set<string>> {
  const common: InputOptions = {
    platform: "node",
    external: [...external, ...outsideTheBundle()],
    logLevel: "warn",
  };
  const parts = createStartBundles();
  const program = await rolldown({
    ...common,
    input,
    plugins: [withoutUnused, parts.plugin],
    preserveEntrySignatures: "allow-extension",
  });
  const libraries = await writeBundles(program, target, parts.nameOf);
  const others = { "background-thread": join(root, "server/background/background-thread.ts") };
  const thread = await rolldown({ ...common, input: others, plugins: [withoutUnused] });
  return new Set([...libraries, ...(await writeBundles(thread, target))]);
}

/** Returns the modules and their direct and indirect imports. */
function closureOf(from: readonly string[], importsOf: (id: string) => readonly string[]) {
  const found = new Set(from);
  for (const id of found) for (const next of importsOf(id)) found.add(next);
  return found;
}

/**
 * Puts the modules of a start into one bundle, and the till's further modules into a second. By
 * default, the separately loaded routes of the till would split the modules of a start into a
 * hundred bundles, and each bundle slows the start.
 */
function createStartBundles(): { plugin: Plugin; nameOf(id: string): string | null } {
  const names = new Map<string, string>();
  return {
    nameOf: (id) => names.get(id) ?? null,
    plugin: {
      name: "start-bundles",
      buildEnd() {
        const ids = [...this.getModuleIds()];
        const reach = (file: RegExp) =>
          closureOf(
            ids.filter((id) => file.test(id)),
            (id) => this.getModuleInfo(id)?.importedIds ?? [],
          );
        // Loaded before Node's compile cache is enabled.
        const before = reach(/\/server\/main\.ts$/);
        const till = reach(
          /\/server\/gateway\/till-app\.ts$|\/server\/modules\/(?:[^/]+\/)+[^/]+-routes\.ts$/,
        );
        for (const id of till) names.set(id, "till");
        for (const id of reach(/\/server\/index\.ts$/)) names.set(id, "gateway");
        for (const id of before) names.delete(id);
      },
    },
  };
}
