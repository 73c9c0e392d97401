/**
 * Checks who imports whom (.dependency-cruiser.cjs) and what that tool cannot say by itself:
 * that it looked at every source file, and that server/modules form no circle.
 */
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import type { ICruiseOptions, ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser";
import { cruise } from "dependency-cruiser";

const PARTS = ["server", "electron", "renderer", "resources"];
const MODULE_OF = /^server\/modules\/([^/]+)\//;
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
      `imports: cruised ${sources.length - missed.length} of ${sources.length} source files, so its silence means nothing.`,
    );
    console.error('Keep `parser: "swc"` in .dependency-cruiser.cjs and @swc/core installed.');
    for (const file of missed.slice(0, 10)) console.error(`  not cruised: ${file}`);
    return 1;
  }

  const circle = findModuleCircle(result);
  if (circle !== undefined) {
    console.error(`error modules-without-cycles: ${circle.join(" → ")}`);
    console.error(
      "    Modules depend on each other in a circle. Let the upper one register a handler or pass a function to the lower one.",
    );
  }
  for (const { rule, from, to } of result.summary.violations) {
    console.error(`error ${rule.name}: ${from} → ${to}`);
    console.error(`    ${remedies.get(rule.name) ?? ""}`);
  }
  if (circle !== undefined || result.summary.error > 0) return 1;
  console.log(`imports: ${sources.length} source files, no forbidden import`);
  return 0;
}

/** The first circle among server/modules, tests left out, as a path that ends where it began. */
function findModuleCircle(result: ICruiseResult): string[] | undefined {
  const edges = new Map<string, Set<string>>();
  for (const { source, dependencies } of result.modules) {
    const from = MODULE_OF.exec(source)?.[1];
    if (from === undefined || TEST_FILE.test(source)) continue;
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets);
    for (const { resolved } of dependencies) {
      const to = MODULE_OF.exec(resolved)?.[1];
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  const finished = new Set<string>();
  function visit(name: string, path: string[]): string[] | undefined {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (finished.has(name)) return undefined;
    for (const next of edges.get(name) ?? []) {
      const found = visit(next, [...path, name]);
      if (found !== undefined) return found;
    }
    finished.add(name);
    return undefined;
  }
  for (const name of edges.keys()) {
    const found = visit(name, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

process.exitCode = await run();
