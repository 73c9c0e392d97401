import { join } from "node:path";
import { type InputOptions, rolldown } from "rolldown";
import { bundledLibraries, outsideTheBundle, withoutUnused } from "./bundles.ts";
import { createStartBundles } from "./start-bundles.ts";

/**
 * Bundles a program that runs a gateway, and the thread that the gateway starts from beside its own bundle: flat in
 * one folder. The thread reads what a task needs, from bundles of its own.
 * @param input the program's entries, by the names of their bundles
 * @param external what there is where it runs, beside what cannot be bundled
 * @returns the names of the libraries whose code is in the bundles
 */
export async function bundleProgram(
  root: string,
  target: string,
  input: Record<string, string>,
  external: readonly RegExp[] = [],
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
  const libraries = await bundledLibraries(program, target, parts.nameOf);
  const thread = await rolldown({
    ...common,
    input: { "background-thread": join(root, "server/background/background-thread.ts") },
    plugins: [withoutUnused],
  });
  return new Set([...libraries, ...(await bundledLibraries(thread, target))]);
}
