/**
 * Measures how much of each module the tests run, in lines and branches (V8 coverage).
 *
 *     node .ci/coverage.ts                     runs all tests of server and renderer; passes
 *                                              further arguments to vitest
 *     node .ci/coverage.ts compare OLD NEW     compares two JSON files of earlier runs
 *
 * A module is a folder of server/modules, renderer/features, server, renderer or electron. Writes
 * artifacts/coverage/modules.json. A comparison exits with status 1 if the lines or branches of a
 * module fall by a percentage point or more. Code in end-to-end tests or child processes is not
 * measured.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const REPORTS = join(ROOT, "artifacts/coverage");
const MAX_FALL_POINTS = 1;

interface Counted {
  covered: number;
  total: number;
}

export interface ModuleCoverage {
  lines: Counted;
  branches: Counted;
}

export type Coverage = Record<string, ModuleCoverage>;

/** Number of path segments of a module folder, if not 2. */
const DEPTHS: Record<string, number> = { "server/modules": 4, "renderer/features": 3 };

export function toModule(file: string): string {
  const folders = file.split("/").slice(0, -1);
  const [top = "", second = ""] = folders;
  const depth = DEPTHS[`${top}/${second}`] ?? 2;
  return folders.slice(0, depth).join("/");
}

export function sumModules(files: Readonly<Record<string, ModuleCoverage>>): Coverage {
  const modules: Coverage = {};
  for (const [file, { lines, branches }] of Object.entries(files)) {
    const module = toModule(file);
    const sum = modules[module] ?? { lines: none(), branches: none() };
    modules[module] = { lines: add(sum.lines, lines), branches: add(sum.branches, branches) };
  }
  return Object.fromEntries(Object.entries(modules).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function none(): Counted {
  return { covered: 0, total: 0 };
}

function add(sum: Counted, { covered, total }: Counted): Counted {
  return { covered: sum.covered + covered, total: sum.total + total };
}

/** Returns 100 for a module without branches. */
export function toPercent({ covered, total }: Counted): number {
  return total === 0 ? 100 : (covered * 100) / total;
}

/** @returns a line for each fall of a module's lines or branches by a percentage point or more */
export function listFalls(before: Coverage, after: Coverage): string[] {
  return Object.entries(before).flatMap(([module, was]) => {
    const now = after[module];
    // The module was moved or deleted.
    if (!now) return [];
    return (["lines", "branches"] as const).flatMap((kind) => {
      const [from, to] = [toPercent(was[kind]), toPercent(now[kind])];
      if (from - to < MAX_FALL_POINTS) return [];
      return [`${module}: ${kind} fall from ${from.toFixed(1)} % to ${to.toFixed(1)} %`];
    });
  });
}

export function toTable(coverage: Coverage): string {
  const width = Math.max(...Object.keys(coverage).map((name) => name.length), "module".length);
  const row = (name: string, ...cells: string[]) =>
    `${name.padEnd(width)} ${cells.map((cell) => cell.padStart(9)).join(" ")}`;
  const percent = (counted: Counted) => `${toPercent(counted).toFixed(1)} %`;
  const rows = Object.entries(coverage).map(([name, { lines, branches }]) =>
    row(name, percent(lines), percent(branches)),
  );
  return [row("module", "lines", "branches"), ...rows].join("\n");
}

function readCoverage(file: string): Coverage {
  return JSON.parse(readFileSync(file, "utf8")) as Coverage;
}

function measure(args: readonly string[]): number {
  const { status } = spawnSync(
    join(ROOT, "node_modules/.bin/vitest"),
    [
      "run",
      "--project=server",
      "--project=renderer",
      "--coverage.enabled",
      "--coverage.provider=v8",
      "--coverage.reporter=json-summary",
      `--coverage.reportsDirectory=${REPORTS}`,
      "--coverage.reportOnFailure",
      ...["server", "renderer", "electron"].map((top) => `--coverage.include=${top}/**/*.{ts,tsx}`),
      ...["**/*.test.{ts,tsx}", "**/testing/**", "**/*.d.ts", "renderer/gallery/**"].map(
        (left) => `--coverage.exclude=${left}`,
      ),
      ...args,
    ],
    { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32" },
  );
  const { total: _, ...files } = readCoverage(join(REPORTS, "coverage-summary.json"));
  const coverage = sumModules(
    Object.fromEntries(
      Object.entries(files).map(([file, counted]) => [
        relative(ROOT, file).replaceAll("\\", "/"),
        counted,
      ]),
    ),
  );
  const output = join(REPORTS, "modules.json");
  writeFileSync(output, `${JSON.stringify(coverage, null, 2)}\n`);
  console.log(`${toTable(coverage)}\n${output}`);
  return status ?? 1;
}

function compare(before: string | undefined, after: string | undefined): number {
  if (before === undefined || after === undefined) {
    console.error("Usage: node .ci/coverage.ts compare OLD NEW");
    return 2;
  }
  const falls = listFalls(readCoverage(before), readCoverage(after));
  for (const fall of falls) console.log(fall);
  console.log(`${falls.length} falls of a point or more`);
  return falls.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  const [command, ...rest] = process.argv.slice(2);
  process.exitCode =
    command === "compare" ? compare(rest[0], rest[1]) : measure(process.argv.slice(2));
}
