import { join } from "node:path";
import { type InputOptions, type Plugin, rolldown } from "rolldown";
import { outsideTheBundle, withoutUnused, writeBundles } from "./bundles.ts";

interface Program {
  /** The program's entries, by the names of their bundles. */
  readonly input: Record<string, string>;
  /** What there is where it runs, beside what cannot be bundled. */
  readonly external?: readonly RegExp[];
}

/**
 * Bundles a program that runs a gateway, and the thread that the gateway starts from beside its own bundle: flat in
 * one folder. The thread reads what a task needs, from bundles of its own.
 * @returns the names of the libraries whose code is in the bundles
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

/** What these import, and what that imports. */
function closureOf(from: readonly string[], importsOf: (id: string) => readonly string[]) {
  const found = new Set(from);
  for (const id of found) for (const next of importsOf(id)) found.add(next);
  return found;
}

/**
 * Makes one bundle of what a start reads, and one of what the till's application reads beside that. A bundler
 * makes one for each set of modules that the same parts of a program import: the till's routes, each imported by
 * its module when the till is first asked for, would make a hundred of a start's thirty, and each costs a start.
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
        // Read before Node is told to keep what it compiles.
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
