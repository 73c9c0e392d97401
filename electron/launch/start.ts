/**
 * `npm start`: the till in its own window if possible, otherwise in the browser. Accepts the
 * options of the headless gateway: --data, --port, --host.
 */
import { constants } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { childEnv, type LaunchEnv, readLaunchEnv } from "../env.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { type LaunchFacts, planLaunch } from "./launch-plan.ts";
import { runInPlace, SIGNAL_EXIT_BASE, showProgress } from "./run-child.ts";
import { fetchRuntime, findRuntime } from "./runtime.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A window that ends earlier has crashed at its start, before the clerk saw it. */
const CRASH_AT_START_MS = 15_000;
/** Exit codes of Chromium if the display server, the sandbox or graphics are missing. */
const CRASHES = new Set(
  (["SIGTRAP", "SIGABRT", "SIGSEGV", "SIGILL", "SIGBUS"] as const).map(
    (signal) => SIGNAL_EXIT_BASE + constants.signals[signal],
  ),
);

async function start(args: readonly string[]): Promise<number> {
  await ensureBuilt(ROOT);
  const env = readLaunchEnv(process.platform);
  let facts = gatherFacts(env);
  let plan = planLaunch(facts);
  if (plan.run === "fetch") {
    const fetch = await fetchWithProgress();
    facts = { ...gatherFacts(env), fetch };
    plan = planLaunch(facts);
  }
  if (plan.run === "desktop") {
    const startedAt = performance.now();
    const code = await runDesktop(env, args);
    if (!CRASHES.has(code) || performance.now() - startedAt > CRASH_AT_START_MS) {
      return code;
    }
    plan = planLaunch({ ...facts, windowCrashed: true });
  }
  const why = plan.run === "browser" ? `${plan.why}: the` : "The";
  console.log(`${why} till is served to the browser instead.`);
  return await runInPlace(process.execPath, [join(ROOT, "server/main.ts"), ...args], {
    cwd: process.cwd(),
    env: childEnv({}),
  });
}

function gatherFacts(env: LaunchEnv): LaunchFacts {
  return {
    hasDisplay: env.hasDisplay,
    runsAsRoot: process.platform === "linux" && process.getuid?.() === 0,
    runtimeInstalled: findRuntime(ROOT, env.runtimeDir) !== undefined,
    fetch: "not tried",
    windowCrashed: false,
  };
}

async function fetchWithProgress() {
  const progress = showProgress("Fetching the desktop window's runtime, once");
  try {
    return await fetchRuntime(ROOT, (megabytes) => progress.update(`${megabytes} MB`));
  } finally {
    progress.end();
  }
}

/** Runs Electron on the project folder. Its package.json names the main script. */
function runDesktop(env: LaunchEnv, args: readonly string[]): Promise<number> {
  const runtime = findRuntime(ROOT, env.runtimeDir);
  if (runtime === undefined) {
    throw new Error("Electron's runtime disappeared while the till was starting. Start it again.");
  }
  return runInPlace(runtime, [ROOT], { cwd: ROOT, env: childEnv(asVariables(args)) });
}

/** Passes arguments on as environment variables, because Chromium would interpret arguments. */
function asVariables(args: readonly string[]): Record<string, string> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: "string" }, port: { type: "string" } },
    strict: false,
  });
  return {
    ...(typeof values.data === "string" && { TILLGATE_DATA: values.data }),
    ...(typeof values.port === "string" && { TILLGATE_PORT: values.port }),
  };
}

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
