import type { Plugin } from "rolldown";

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
export function createStartBundles(): { plugin: Plugin; nameOf(id: string): string | null } {
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
        const till = reach(/\/server\/till-app\.ts$|\/server\/modules\/[^/]+\/[^/]+-routes\.ts$/);
        for (const id of till) names.set(id, "till");
        for (const id of reach(/\/server\/index\.ts$/)) names.set(id, "gateway");
        for (const id of before) names.delete(id);
      },
    },
  };
}
