/**
 * Runs the tests. The last printed line is "N passed, N failed".
 *
 *     node .ci/run-tests.ts            unit and API tests, then the end-to-end tests with the tag
 *                                      "core": set-up and a sale of each family
 *     node .ci/run-tests.ts unit       only unit and API tests; passes arguments to vitest
 *     node .ci/run-tests.ts e2e        every end-to-end test; passes arguments to Playwright
 *     node .ci/run-tests.ts long       the remaining tests of .ci/run: those tagged "thorough",
 *                                      *.long.test.ts, the remaining end-to-end tests, and on
 *                                      PostgreSQL *.postgres.test.ts and the contract table
 *                                      (server/testing/contract-tests.ts)
 *     node .ci/run-tests.ts nightly    tests that take an hour: *.nightly.test.ts, end-to-end tests
 *                                      in *.long.spec.ts or tagged "thorough", all screenshot tests
 *     node .ci/run-tests.ts long-server   only *.long.test.ts
 *     node .ci/run-tests.ts long-journeys   only *.long.spec.ts and end-to-end tests tagged
 *                                      "thorough"; passes arguments to Playwright
 *     node .ci/run-tests.ts postgres   every server test on PostgreSQL
 *     node .ci/run-tests.ts looks      only screenshot tests; passes arguments to Playwright
 *     node .ci/run-tests.ts profile    unit and end-to-end tests, or the named suites; prints the
 *                                      time of every file, with the set-up separate from the tests
 *     node .ci/run-tests.ts sum 0      adds up the tallies of earlier runs in artifacts/tally; an
 *                                      exit status other than 0 counts as a failure
 *
 * Fails if a test failed, a runner failed, or a suite ran no test at all.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Tally } from "./checks/tally.ts";

const ROOT = resolve(import.meta.dirname, "..");
const TALLIES = join(ROOT, "artifacts/tally");
const VITEST = ["run", "--reporter=default", "--reporter=./.ci/checks/vitest-tally.ts"];
const UNIT = [...VITEST, "--project=server", "--project=renderer"];
const THOROUGH = 'tags: ["thorough"]';
const CORE = "@core";
const PLAYWRIGHT = ["test", "--reporter=list,./.ci/checks/playwright-tally.ts"];

const MOST_SHIFTS_NAMED = 5;
const SLOWEST_NAMED = 20;

const NOTHING: Tally = { passed: 0, failures: [], skipped: [], unsteady: [] };

function runTool(name: string, tool: string, args: readonly string[], env = {}): Tally {
  const file = join(TALLIES, `${name}.json`);
  rmSync(file, { force: true });
  const { status } = spawnSync(join(ROOT, "node_modules/.bin", tool), args, {
    cwd: ROOT,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, ...env, TALLY_FILE: file },
  });
  const tally = existsSync(file) ? readTally(file) : { ...NOTHING };
  if (tally.passed + tally.failures.length === 0) {
    return failedAs(`${name}: no test ran`);
  }
  if (status !== 0 && tally.failures.length === 0) {
    tally.failures.push(`${name}: ${tool} ended with ${status ?? "a signal"}`);
  }
  return tally;
}

function failedAs(failure: string): Tally {
  return { ...NOTHING, failures: [failure] };
}

function runUnit(args: readonly string[]): Tally {
  return args.length > 0
    ? runTool("unit", "vitest", [...UNIT, ...args])
    : runTagged("unit", "!thorough");
}

function runThorough(): Tally {
  const files = globSync(
    "{server,electron,resources,e2e,packages,packaging,renderer,.ci}/**/*.test.{ts,tsx}",
    {
      cwd: ROOT,
    },
  ).filter((file) => readFileSync(join(ROOT, file), "utf8").includes(THOROUGH));
  return runTagged("thorough", "thorough", files);
}

function runTagged(name: string, filter: string, files: readonly string[] = []): Tally {
  return runTool(name, "vitest", [...UNIT, `--tags-filter=${filter}`, ...files], {
    TALLY_TAG: filter,
  });
}

/** @param name name of the tally; distinguishes several runs of one project */
function runBrowser(
  project: "journeys" | "journeys-long" | "looks",
  args: readonly string[],
  name: string = project,
): Tally {
  if (isRendererStale()) {
    const { status } = spawnSync("npm", ["run", "build"], {
      cwd: ROOT,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status !== 0) {
      return failedAs(`${project}: the renderer does not build`);
    }
  }
  return runTool(name, "playwright", [...PLAYWRIGHT, `--project=${project}`, ...args]);
}

function runCoreJourneys(): Tally {
  return runBrowser("journeys", ["--grep", CORE], "journeys-core");
}

function runOtherJourneys(): Tally {
  return runBrowser("journeys", ["--grep-invert", CORE], "journeys-other");
}

function runLong(args: readonly string[]): Tally {
  return runTool("long", "vitest", [...VITEST, "--project=long", ...args]);
}

function runNightly(args: readonly string[]): Tally {
  return runTool("nightly", "vitest", [...VITEST, "--project=nightly", ...args]);
}

function runPostgres(args: readonly string[]): Tally {
  const projects = ["--project=postgres", ...args];
  return runTool("postgres", "vitest", [...VITEST, ...projects], { POSTGRES_ALL: "1" });
}

/** Runs both projects in one process, so that no core is idle during the last long file. */
function runLongBesidePostgres(): Tally {
  return runTool("long", "vitest", [...VITEST, "--project=long", "--project=postgres"]);
}

function isRendererStale(): boolean {
  const built = join(ROOT, "out/renderer/index.html");
  if (!existsSync(built)) {
    return true;
  }
  const builtAt = statSync(built).mtimeMs;
  return globSync(
    [
      "renderer/**/*",
      "server/contract/**/*",
      "electron/**/*.ts",
      "resources/**/*.json",
      "electron.vite.config.ts",
      "package-lock.json",
    ],
    { cwd: ROOT },
  ).some((file) => statSync(join(ROOT, file)).mtimeMs > builtAt);
}

function readTally(file: string): Tally {
  return JSON.parse(readFileSync(file, "utf8")) as Tally;
}

function printTimes(tallies: readonly Tally[], limit: number): void {
  const times = tallies
    .flatMap((tally) => tally.times ?? [])
    .toSorted((a, b) => b.setupMs + b.testMs - a.setupMs - a.testMs);
  const inSeconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(8);
  console.log("\n  set-up   tests  (seconds)");
  for (const { file, tests, setupMs, testMs } of times.slice(0, limit)) {
    console.log(`${inSeconds(setupMs)}${inSeconds(testMs)}  ${file} (${tests})`);
  }
  const sum = (part: "setupMs" | "testMs") => times.reduce((total, one) => total + one[part], 0);
  console.log(`${inSeconds(sum("setupMs"))}${inSeconds(sum("testMs"))}  all ${times.length}`);
}

function profile(names: readonly string[]): void {
  const tallies = names.flatMap((name) => {
    const suite = PARTS[name] ?? SUITES[name];
    return suite?.([]) ?? failedAs(`no suite is called ${name}`);
  });
  printTimes(tallies, Number.POSITIVE_INFINITY);
  close(tallies);
}

function sumUp(status: string | undefined): void {
  const tallies = globSync(join(TALLIES, "*.json")).map(readTally);
  printTimes(tallies, SLOWEST_NAMED);
  const isAccountedFor = status === "0" || tallies.some(({ failures }) => failures.length > 0);
  close(isAccountedFor ? tallies : [...tallies, failedAs("a step that is no test")]);
}

function close(tallies: readonly Tally[]): void {
  const skipped = tallies.flatMap((tally) => tally.skipped);
  const unsteady = tallies.flatMap((tally) => tally.unsteady);
  const shifted = tallies.flatMap((tally) => tally.shifted ?? []);
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failures = tallies.flatMap((tally) => tally.failures);
  console.log("");
  if (shifted.length > 0) {
    console.log(`layout shift above 0 in ${shifted.length} end-to-end tests, the largest in:`);
  }
  for (const test of shifted.toSorted().toReversed().slice(0, MOST_SHIFTS_NAMED)) {
    console.log(`  ${test}`);
  }
  for (const test of skipped) {
    console.log(`skipped: ${test}`);
  }
  for (const test of unsteady) {
    console.log(`passed only at the second attempt: ${test}`);
  }
  for (const failure of failures) {
    console.log(`failed: ${failure}`);
  }
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

const SUITES: Record<string, (args: readonly string[]) => Tally[]> = {
  unit: (args) => [runUnit(args)],
  e2e: (args) => [runBrowser("journeys", args)],
  long: (args) =>
    args.length > 0
      ? [runLong(args)]
      : [runThorough(), runOtherJourneys(), runLongBesidePostgres()],
  nightly: (args) => [runNightly(args), runBrowser("journeys-long", []), runBrowser("looks", [])],
  "long-server": (args) => [runLong(args)],
  "long-journeys": (args) => [runBrowser("journeys-long", args)],
  postgres: (args) => [runPostgres(args)],
  looks: (args) => [runBrowser("looks", args)],
};

/** Suites of a profile that are less than the command of the same name. */
const PARTS: typeof SUITES = {
  thorough: () => [runThorough()],
  long: () => [runLongBesidePostgres()],
  nightly: () => [runNightly([])],
};

const [what, ...rest] = process.argv.slice(2);
if (what === undefined) close([runUnit([]), runCoreJourneys()]);
else if (what === "profile") profile(rest.length > 0 ? rest : ["unit", "e2e"]);
else if (what === "sum") sumUp(rest[0]);
else if (SUITES[what]) close(SUITES[what](rest));
else {
  const names = [...Object.keys(SUITES), "profile", "sum"].join(", ");
  console.error(`run-tests: "${what}" is none of ${names}.`);
  process.exitCode = 2;
}
