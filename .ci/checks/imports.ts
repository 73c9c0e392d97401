/**
 * Checks imports with dependency-cruiser (.dependency-cruiser.cjs). Also checks that
 * dependency-cruiser read every source file, and that neither the folders of server/modules nor
 * those of the renderer import each other in a circle.
 */
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import type { ICruiseOptions, ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser";
import { cruise } from "dependency-cruiser";

const PARTS = ["server", "electron", "renderer", "resources", "packages", "packaging"];
const WITHOUT_CIRCLES = [
  {
    rule: "modules-without-cycles",
    partOf: /^server\/modules\/([^/]+\/[^/]+)\//,
    remedy:
      "Modules depend on each other in a circle. Let the upper one register a handler or pass a function to the lower one.",
  },
  {
    rule: "folders-without-cycles",
    partOf: /^(renderer(?:\/(?!testing\/)[^/]+)*)\/[^/]+$/,
    remedy:
      "Folders of the renderer import each other in a circle. Move the shared code into one that imports neither.",
  },
] as const;
const TEST_FILE = /\.test\.tsx?$/;

const configuration = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  forbidden: IFlattenedRuleSet["forbidden"];
  options: ICruiseOptions;
};

const remedies = new Map(configuration.forbidden?.map(({ name, comment }) => [name, comment]));

async function run(): Promise<number> {
  const sources = PARTS.flatMap((part) => globSync(`${part}/**/*.{ts,tsx}`));
  const folders = PARTS.filter((part) => sources.some((file) => file.startsWith(`${part}/`)));
  const { output } = await cruise(folders, {
    ...configuration.options,
    ruleSet: { forbidden: configuration.forbidden ?? [] },
    validate: true,
  });
  const result = output as ICruiseResult;

  const cruised = new Set(result.modules.map((module) => module.source));
  const missed = sources.filter((file) => !cruised.has(file));
  const isBlind = sources.length === 0 || missed.length > 0;
  if (isBlind || result.summary.optionsUsed.parser !== "swc") {
    console.error(
      `imports: cruised ${sources.length - missed.length} of ${sources.length} source files, so that a clean result is not reliable.`,
    );
    console.error('Keep `parser: "swc"` in .dependency-cruiser.cjs and @swc/core installed.');
    for (const file of missed.slice(0, 10)) console.error(`  not cruised: ${file}`);
    return 1;
  }

  const circles = WITHOUT_CIRCLES.flatMap(({ rule, partOf, remedy }) =>
    findCircles(result, partOf).map((circle) => ({ rule, circle, remedy })),
  );
  for (const { rule, circle, remedy } of circles) {
    console.error(`error ${rule}: ${circle.join(" → ")}`);
    console.error(`    ${remedy}`);
  }
  for (const { rule, from, to } of result.summary.violations) {
    console.error(`error ${rule.name}: ${from} → ${to}`);
    console.error(`    ${remedies.get(rule.name) ?? ""}`);
  }
  if (circles.length > 0 || result.summary.error > 0) return 1;
  console.log(`imports: ${sources.length} source files, no forbidden import`);
  return 0;
}

/**
 * Finds import circles outside tests. Each circle is a list of folders whose last equals the first.
 */
function findCircles(result: ICruiseResult, partOf: RegExp): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { source, dependencies } of result.modules) {
    const from = partOf.exec(source)?.[1];
    if (from === undefined || TEST_FILE.test(source)) continue;
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets);
    for (const { resolved } of dependencies) {
      const to = partOf.exec(resolved)?.[1];
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  const circles: string[][] = [];
  const finished = new Set<string>();
  function visit(name: string, path: string[]): void {
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name]);
      return;
    }
    if (finished.has(name)) return;
    for (const next of edges.get(name) ?? []) visit(next, [...path, name]);
    finished.add(name);
  }
  for (const name of edges.keys()) visit(name, []);
  return circles;
}

process.exitCode = await run();
