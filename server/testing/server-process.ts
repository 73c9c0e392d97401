import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";

const SERVER = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the headless host, by default on a free port, and waits until it listens.
 * @param env additions to this process's environment
 * @param onSpawn receives the process before it listens
 */
export function startServerProcess(
  place: string | Place,
  port = "0",
  env: Record<string, string> = {},
  onSpawn?: (child: ChildProcess) => void,
): Promise<ServerProcess> {
  const { dataDir, database } = typeof place === "string" ? { dataDir: place } : place;
  const where = database === undefined ? [] : ["--database", database];
  return startProgram(SERVER, {
    args: ["--data", dataDir, "--port", port, ...where],
    env,
    ...(onSpawn && { onSpawn }),
  });
}

const COUNT_STEPS = `--import=${new URL("kill-at-step.ts", import.meta.url).href}`;

/** Environment of a server that simulates a version with one more migration. */
export const NEWER_ENV = {
  NODE_OPTIONS: `--import=${new URL("newer-version.ts", import.meta.url).href}`,
  TILLGATE_TEST_NEWER: "1",
};

type Env = Readonly<Record<string, string>>;

function countingSteps(env: Env): Env {
  return { ...env, NODE_OPTIONS: `${env.NODE_OPTIONS ?? ""} ${COUNT_STEPS}` };
}

/**
 * Starts the server, stops it normally, and counts its steps: SQL statements and file changes.
 * @returns number of steps
 */
export async function countStartSteps(dataDir: string, of: Env = {}): Promise<number> {
  const file = join(dataDir, "steps");
  const env = { ...countingSteps(of), STEPS_FILE: file };
  await (await startServerProcess(dataDir, "0", env)).kill("SIGTERM");
  return Number(readFileSync(file, "utf8"));
}

/**
 * Starts the server and kills it at a step of its start.
 * @returns false if the server had started before that step
 */
export async function startAndKillAtStep(
  dataDir: string,
  step: number,
  of: Env = {},
): Promise<boolean> {
  let child: ChildProcess | undefined;
  const env = { ...countingSteps(of), KILL_AT_STEP: String(step) };
  try {
    const server = await startServerProcess(dataDir, "0", env, (spawned) => {
      child = spawned;
    });
    await server.kill("SIGKILL");
    return false;
  } catch (error) {
    if (child?.signalCode !== "SIGKILL") throw error;
    return true;
  }
}

/**
 * Starts a server that is killed at a step after it has received SIGUSR2. On PostgreSQL, each write
 * to a socket is a step.
 */
export function startToKillAtStep(place: Place, step: number): Promise<ServerProcess> {
  const env = {
    ...countingSteps({}),
    KILL_AT_STEP: String(step),
    COUNT_AFTER_SIGNAL: "1",
    ...(place.database !== undefined && { COUNT_SOCKETS: "1" }),
  };
  return startServerProcess(place, "0", env);
}

interface Start {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly onSpawn?: (child: ChildProcess) => void;
}

/**
 * Starts a headless host, possibly of a different version.
 * @throws Error with the host's output if it ends at once
 */
export async function startProgram(
  program: string,
  { args, env, onSpawn }: Start,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  onSpawn?.(child);
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      output += String(chunk);
    });
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const match = /listening on (http:\S+)/.exec(output);
      if (match?.[1]) resolve(match[1]);
    });
    child.once("exit", () => reject(new Error(`the server ended: ${output}`)));
  });
  return {
    url,
    child,
    kill(signal) {
      child.kill(signal);
      return gone;
    },
  };
}
