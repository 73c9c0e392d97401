/**
 * Keeps a function to 70 lines, without blank lines and comments (function-length-rule.json). Some are
 * longer: function-length.json has the lines of each, a number that only falls. The goal is none. Tests
 * are exempt: what describes a subject is as long as the subject.
 *
 *     npm run lint:functions          fails where one is longer, or shorter, than stated
 *     npm run lint:functions:lower    states the lines that there are, where they are fewer
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ALLOWANCE = ".ci/checks/function-length.json";
const RULE = join(import.meta.dirname, "function-length-rule.json");
const LINTER = join(import.meta.dirname, "../../node_modules/.bin/oxlint");
const PLACES = [".ci", "server", "electron", "renderer", "resources"];
const EXEMPT = /\.(test|spec)\.tsx?$|(^|\/)testing\//;
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Lines by the file and the name of the function. */
type Lines = Record<string, number>;

interface Finding {
  filename: string;
  message: string;
}

const { values: options } = parseArgs({
  options: { lower: { type: "boolean", default: false } },
});

function findLong(): Lines {
  const { stdout } = spawnSync(LINTER, ["--config", RULE, "--format", "json", ...PLACES], {
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Finding[] };
  const long: Lines = {};
  for (const { filename, message } of diagnostics) {
    if (EXEMPT.test(filename)) continue;
    const name = /`(.+?)`/.exec(message)?.[1] ?? "(without a name)";
    const key = `${filename.replaceAll("\\", "/")} ${name}`;
    long[key] = Math.max(long[key] ?? 0, Number(/\((\d+)\)/.exec(message)?.[1]));
  }
  return long;
}

function judge(key: string, lines: number, allowed: number): string | undefined {
  if (lines > allowed) {
    const most = allowed === 0 ? "70 are the most" : `${allowed} are left over`;
    return `${key} has ${lines} lines, ${most}: give a part of it a name of its own.`;
  }
  if (lines < allowed) {
    return `${key} is no longer ${allowed} lines long: npm run lint:functions:lower.`;
  }
  return undefined;
}

const long = findLong();
const allowance = JSON.parse(readFileSync(ALLOWANCE, "utf8")) as Lines;
if (options.lower) {
  const lowered = Object.entries(allowance)
    .map(([key, allowed]): [string, number] => [key, Math.min(long[key] ?? 0, allowed)])
    .filter(([, lines]) => lines > 0);
  writeFileSync(ALLOWANCE, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
} else {
  const keys = [...new Set([...Object.keys(long), ...Object.keys(allowance)])].toSorted();
  const complaints = keys.flatMap((key) => judge(key, long[key] ?? 0, allowance[key] ?? 0) ?? []);
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length === 0) console.log(`function length: ${keys.length} left over 70 lines`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
