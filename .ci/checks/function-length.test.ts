/** The length of functions, on a small tree of its own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const ALLOWANCE = ".ci/checks/function-length.json";
const CHECK = join(import.meta.dirname, "function-length.ts");

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "tillgate-lengths-"));
  for (const place of ["server", "electron", "renderer", "resources"]) {
    mkdirSync(join(tree, place));
  }
  plant(ALLOWANCE, "{}");
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

/** A function of so many lines, its first and last among them, with a comment that does not count. */
function functionOf(lines: number): string {
  const inside = Array.from({ length: lines - 2 }, (_, at) => `  console.log(${at});`);
  return ["export function sell() {", "  // Why.", "", ...inside, "}", ""].join("\n");
}

function run(...args: string[]): { passed: boolean; output: string } {
  const spawned = spawnSync(process.execPath, [CHECK, ...args], { cwd: tree, encoding: "utf8" });
  return { passed: spawned.status === 0, output: spawned.stdout + spawned.stderr };
}

test("passes 70 lines, and any number in a test", () => {
  plant("server/sale.ts", functionOf(70));
  plant("server/sale.test.ts", functionOf(200));
  plant("server/testing/till.ts", functionOf(200));
  expect(run()).toEqual({ passed: true, output: "function length: 0 left over 70 lines\n" });
});

test("names a function of 71 lines, and a remedy", () => {
  plant("server/sale.ts", functionOf(71));
  expect(run()).toEqual({
    passed: false,
    output:
      "server/sale.ts sell has 71 lines, 70 are the most: give a part of it a name of its own.\n",
  });
});

test.each([
  [90, true, "function length: 1 left over 70 lines"],
  [91, false, "server/sale.ts sell has 91 lines, 90 are left over"],
  [80, false, "server/sale.ts sell is no longer 90 lines long: npm run lint:functions:lower."],
  [60, false, "server/sale.ts sell is no longer 90 lines long: npm run lint:functions:lower."],
])("of 90 lines that are left over, %i pass: %s", (lines, passed, says) => {
  plant(ALLOWANCE, '{ "server/sale.ts sell": 90 }');
  plant("server/sale.ts", functionOf(lines));
  const found = run();
  expect(found.passed).toBe(passed);
  expect(found.output).toContain(says);
});

test("states fewer lines where there are fewer, and never more", () => {
  plant(ALLOWANCE, '{ "server/sale.ts sell": 90, "server/gone.ts sell": 75 }');
  plant("server/sale.ts", functionOf(80));
  plant("server/other.ts", functionOf(99));
  run("--lower");
  expect(JSON.parse(readFileSync(join(tree, ALLOWANCE), "utf8"))).toEqual({
    "server/sale.ts sell": 80,
  });
});
