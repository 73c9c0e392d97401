/**
 * Plants the faults of planted-fault-list.ts one at a time and reports which test catches each.
 *
 *     node .ci/planted-faults.ts                  every fault, in this checkout
 *     node .ci/planted-faults.ts --repo DIR       in another checkout, with its own tests
 *     node .ci/planted-faults.ts --only 3,17      some faults, by their number in the list
 *     node .ci/planted-faults.ts --near           only step 1, a few seconds per fault
 *     node .ci/planted-faults.ts --slow 4         four times the time limits, on a busy machine
 *     node .ci/planted-faults.ts --check          only finds the text of each fault; runs no test
 *
 * For each fault the script runs these tests in order, each test once, and stops at the first
 * failure:
 *   1. test files that the list names, and test files that import the changed file;
 *   2. test files beside the changed file;
 *   3. test files that import the changed file indirectly (`vitest related`), for a limited time;
 *   4. the end-to-end tests that the list names.
 *
 * Finally the script runs the catching test files without a fault. A file that also fails without a
 * fault has caught nothing. Each faulty file is restored, even after Ctrl+C. Exit status 1: a fault
 * was not caught, or its text does not occur exactly once in the product code. The results are
 * written to artifacts/planted-faults.json.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { FAULTS, type Fault } from "./planted-fault-list.ts";

const { values: options } = parseArgs({
  options: {
    repo: { type: "string", default: resolve(import.meta.dirname, "..") },
    only: { type: "string" },
    near: { type: "boolean", default: false },
    slow: { type: "string", default: "1" },
    check: { type: "boolean", default: false },
  },
});
const NEAR_TIMEOUT_MS = 90_000 * Number(options.slow);
const RELATED_TIMEOUT_MS = 120_000 * Number(options.slow);
const E2E_TIMEOUT_MS = 120_000 * Number(options.slow);
const REPO = resolve(options.repo);
const scratch = mkdtempSync(join(tmpdir(), "planted-faults-"));

interface Place {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

interface Result {
  readonly number: number;
  readonly fault: Fault;
  readonly seconds: number;
  caughtBy?: string;
  testFile?: string;
  readonly problem?: string;
}

function listFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: REPO, exclude: ["**/node_modules/**"] }).map((file) =>
    file.replaceAll("\\", "/"),
  );
}

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const sources = listFiles("{server,renderer,electron,packaging}/**/*.{ts,tsx}").filter(
  (file) => !file.includes("/testing/"),
);
const product = sources.filter((file) => !isTest(file));
const unitTests = sources.filter((file) => isTest(file) && !/\.(long|postgres)\.test\./.test(file));
const read = (file: string) => readFileSync(join(REPO, file), "utf8");

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function toPattern(text: string): RegExp {
  return new RegExp(text.trim().split(/\s+/).map(escapePattern).join("\\s+"), "g");
}

function locate({ file, find, replace }: Fault): Place | string {
  const pattern = toPattern(find);
  const countIn = (one: string) => read(one).match(pattern)?.length ?? 0;
  const own = existsSync(join(REPO, file)) ? countIn(file) : 0;
  if (own > 1) return `its text is ${own} times in ${file}`;
  const found = own === 1 ? [file] : product.filter((one) => countIn(one) > 0);
  const [only] = found;
  if (only === undefined) return `its text is in no file; it was in ${file}`;
  if (found.length > 1) return `its text is in ${found.join(", ")}, and not in ${file}`;
  if (countIn(only) > 1) return `its text is ${countIn(only)} times in ${only}`;
  const before = read(only);
  return { file: only, before, after: before.replace(pattern, () => replace) };
}

function listOwnTests(file: string, tests: readonly string[] = []): string[] {
  const imported = new RegExp(`from "\\.[^"]*/${escapePattern(basename(file))}"`);
  return unitTests.filter((test) => tests.includes(test) || imported.test(read(test)));
}

let planted: Place | undefined;
let child: ChildProcess | undefined;

function restore(): void {
  if (planted) writeFileSync(join(REPO, planted.file), planted.before);
  planted = undefined;
}

function endChild(): void {
  if (child?.pid === undefined || child.exitCode !== null) return;
  // The process leads a group. Killing the process alone would leave workers, gateways and browsers
  // running.
  if (process.platform === "win32") child.kill("SIGKILL");
  else process.kill(-child.pid, "SIGKILL");
}

process.on("exit", () => {
  endChild();
  restore();
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(130));
}

/** @returns the exit status; undefined after the timeout */
function runTool(
  tool: string,
  args: readonly string[],
  { timeout_ms, env = {} }: { timeout_ms: number; env?: Record<string, string> },
): Promise<number | undefined> {
  const bin = join(REPO, "node_modules/.bin");
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const started = spawn(join(bin, tool), args, {
    cwd: REPO,
    stdio: "ignore",
    detached: process.platform !== "win32",
    shell: process.platform === "win32",
    env: { ...process.env, CI: "", PATH, ...env },
  });
  child = started;
  return new Promise((done) => {
    const timer = setTimeout(() => {
      endChild();
      done(undefined);
    }, timeout_ms);
    started.on("close", (status) => {
      clearTimeout(timer);
      done(status ?? 1);
    });
  });
}

interface Caught {
  readonly testFile: string;
  readonly caughtBy: string;
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

async function runVitest(
  command: "run" | "related",
  files: readonly string[],
  { timeout_ms, bail = true }: { timeout_ms: number; bail?: boolean },
): Promise<Caught[]> {
  const outputFile = join(scratch, "vitest.json");
  rmSync(outputFile, { force: true });
  const args = [
    ...(command === "related" ? ["related", "--run"] : ["run"]),
    ...files,
    "--project=server",
    "--project=renderer",
    "--tags-filter=!thorough",
    "--maxWorkers=1",
    "--reporter=json",
    `--outputFile=${outputFile}`,
    ...(bail ? ["--bail=1"] : []),
  ];
  const status = await runTool("vitest", args, { timeout_ms });
  if (status === 0) return [];
  if (status === undefined || !existsSync(outputFile)) {
    // Vitest ended by the timeout or by another process. This proves nothing about the fault.
    console.log(`        no result: vitest ${command} ${files.join(" ")}`);
    return [];
  }
  const { testResults } = JSON.parse(readFileSync(outputFile, "utf8")) as VitestReport;
  const failed = testResults
    .filter((file) => file.status === "failed")
    .map(({ name, message, assertionResults }) => {
      const testFile = name.replaceAll("\\", "/").slice(REPO.length + 1);
      const test = assertionResults.find(({ status }) => status === "failed");
      return { testFile, caughtBy: test?.fullName ?? message.split("\n")[0] ?? "" };
    });
  // No test failed by name: the tests' shared set-up failed.
  return failed.length > 0 ? failed : [{ testFile: "", caughtBy: "the set-up of the tests" }];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { title: string; ok: boolean; file: string }[];
}

function listFailedSpecs({ suites = [], specs = [] }: PlaywrightSuite): Caught[] {
  const own = specs.flatMap(({ ok, title, file }) =>
    ok ? [] : [{ testFile: `e2e/${file}`, caughtBy: title }],
  );
  return [...own, ...suites.flatMap(listFailedSpecs)];
}

async function runPlaywright(specs: readonly string[]): Promise<Caught[]> {
  const files = specs.filter((spec) => existsSync(join(REPO, spec)));
  if (files.length === 0) return [];
  const built = await runTool("electron-vite", ["build"], { timeout_ms: E2E_TIMEOUT_MS });
  if (built !== 0) return [{ testFile: "", caughtBy: "electron-vite build" }];
  const outputFile = join(scratch, "playwright.json");
  rmSync(outputFile, { force: true });
  const project = files.some((file) => file.includes(".long.")) ? "journeys-long" : "journeys";
  const args = ["test", ...files, `--project=${project}`, "--workers=1", "-x", "--reporter=json"];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: outputFile };
  const status = await runTool("playwright", args, { timeout_ms: E2E_TIMEOUT_MS, env });
  if (status === undefined || status === 0 || !existsSync(outputFile)) return [];
  return listFailedSpecs(JSON.parse(readFileSync(outputFile, "utf8")) as PlaywrightSuite);
}

async function findCatchingTest({ e2e, tests }: Fault, file: string): Promise<Caught | undefined> {
  const own = listOwnTests(file, tests);
  const beside = unitTests.filter((test) => dirname(test) === dirname(file));
  const near = options.near ? [own] : [own, beside.filter((test) => !own.includes(test))];
  for (const files of near) {
    if (files.length === 0) continue;
    const [caught] = await runVitest("run", files, { timeout_ms: NEAR_TIMEOUT_MS });
    if (caught) return caught;
  }
  if (options.near) return undefined;
  const [related] = await runVitest("related", [file], { timeout_ms: RELATED_TIMEOUT_MS });
  return related ?? (await runPlaywright(e2e))[0];
}

async function tryFault(fault: Fault, number: number): Promise<Result> {
  const started = performance.now();
  const secondsSince = () => Math.round((performance.now() - started) / 1000);
  const place = locate(fault);
  if (typeof place === "string") return { number, fault, seconds: 0, problem: place };
  if (options.check) return { number, fault, seconds: 0 };
  planted = place;
  writeFileSync(join(REPO, place.file), place.after);
  try {
    const caught = await findCatchingTest(fault, place.file);
    return { number, fault, seconds: secondsSince(), ...caught };
  } finally {
    restore();
  }
}

async function dropFailingTests(results: readonly Result[]): Promise<void> {
  const files = [...new Set(results.flatMap(({ testFile }) => testFile || []))];
  const unit = files.filter((file) => !file.startsWith("e2e/") || file.endsWith(".test.ts"));
  const specs = files.filter((file) => !unit.includes(file));
  const limits = { timeout_ms: 4 * RELATED_TIMEOUT_MS, bail: false };
  const failing = [
    ...(unit.length > 0 ? await runVitest("run", unit, limits) : []),
    ...(await runPlaywright(specs)),
  ];
  for (const { testFile, caughtBy } of failing) {
    console.log(`fails without a fault: ${testFile} > ${caughtBy}`);
    for (const result of results) {
      if (result.testFile !== testFile || result.caughtBy !== caughtBy) continue;
      delete result.testFile;
      delete result.caughtBy;
    }
  }
}

function describe({ number, fault, seconds, caughtBy, testFile, problem }: Result): string {
  let end = caughtBy === undefined ? "NOT CAUGHT" : `${testFile} > ${caughtBy}`;
  if (problem) end = `NOT PLANTED: ${problem}`;
  else if (options.check) end = "found";
  return `${String(number).padStart(2)} ${fault.area.padEnd(11)} ${String(seconds).padStart(4)} s  ${fault.breaks}\n        ${end}`;
}

/** @throws Error if the tests already fail in this checkout without a fault */
async function requireRunnableTests(): Promise<void> {
  const quick = unitTests.filter((test) => test.startsWith("server/lib/")).slice(0, 1);
  const failed = await runVitest("run", quick, { timeout_ms: RELATED_TIMEOUT_MS });
  if (failed[0]) throw new Error(`The tests do not run without a fault: ${failed[0].caughtBy}`);
}

if (!options.check) await requireRunnableTests();
const numbers = options.only?.split(",").map(Number);
const results: Result[] = [];
for (const [index, fault] of FAULTS.entries()) {
  if (numbers && !numbers.includes(index + 1)) continue;
  const result = await tryFault(fault, index + 1);
  results.push(result);
  if (!options.check || result.problem) console.log(describe(result));
}
if (!options.check) {
  await dropFailingTests(results);
  const total = results.reduce((sum, { seconds }) => sum + seconds, 0);
  const caught = results.filter(({ caughtBy }) => caughtBy !== undefined);
  console.log(`${caught.length} of ${results.length} faults caught, ${total} s`);
  for (const result of results.filter(({ caughtBy }) => !caughtBy)) console.log(describe(result));
  const artifacts = resolve(import.meta.dirname, "../artifacts");
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(join(artifacts, "planted-faults.json"), `${JSON.stringify(results, null, 2)}\n`);
}
const isGood = results.every(({ problem, caughtBy }) =>
  options.check ? !problem : caughtBy !== undefined,
);
if (options.check) {
  console.log(
    isGood
      ? `planted faults: ${results.length} faults, the text of each is in the product code once`
      : "Remedy: give the fault the present text in .ci/planted-fault-list.ts",
  );
}
process.exitCode = isGood ? 0 : 1;
