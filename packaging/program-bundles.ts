import { join } from "node:path";
import { type InputOptions, type Plugin, rolldown } from "rolldown";
import { outsideTheBundle, withoutUnused, writeBundles } from "./bundles.ts";

interface Program {
  readonly input: Record<string, string>;
  /** Modules that the target provides. Libraries that cannot be bundled are always external. */
  readonly external?: readonly RegExp[];
}

/**
 * Bundles a program that runs a gateway. The worker thread and its tasks get their own bundles.
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

function closureOf(from: readonly string[], importsOf: (id: string) => readonly string[]) {
  const found = new Set(from);
  for (const id of found) for (const next of importsOf(id)) found.add(next);
  return found;
}

/**
 * Puts the startup modules into one bundle and the till's other modules into a second bundle.
 * Otherwise, the till's separately loaded routes would split the startup modules into a hundred
 * bundles, which slow the startup.
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
        // Modules that are loaded before Node's compile cache is enabled.
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
