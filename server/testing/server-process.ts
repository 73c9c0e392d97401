import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";

const SERVER = fileURLToPath(new URL("../main.ts", import.meta.url));

/** A gateway in a process of its own, as a shop runs it. */
export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Ends it with a signal and waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the headless host, on a free port unless one is named, and waits until it listens.
 * @param env beside this process's own
 * @param onSpawn is given the process at once
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

interface Start {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** Starts a headless host that may be another version's. @throws what it has said, where it ends at once */
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
