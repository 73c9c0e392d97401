import { spawn } from "node:child_process";
import { join } from "node:path";
import { runCommandLine } from "../admin/command-line.ts";
import { PROGRAM_DIR } from "../program.ts";
import type { Place } from "./place.ts";

const { NODE_COMPILE_CACHE } = process.env;
const COMPILED = { ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

interface Run {
  env?: Record<string, string>;
  input?: string;
  programDir?: string;
}

/** Runs a program in an empty environment, and waits for its end. */
export async function runProgram(
  program: "main.ts" | "admin/tillgate.ts",
  args: string[],
  { env = {}, input = "", programDir = PROGRAM_DIR }: Run = {},
): Promise<Finished> {
  const file = join(programDir, "server", program);
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...COMPILED, ...env },
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  // `setEncoding` joins a character that arrives in two chunks.
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.end(input);
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { exitCode, stdout, stderr };
}

let typed: Promise<unknown> = Promise.resolve();

/**
 * Runs an owner's command in this process. Commands run one after another, because two connections
 * of the same thread could deadlock.
 */
export function typeCommand(
  place: string | Place,
  args: string[],
  input?: string,
): Promise<Finished> {
  const { dataDir, database } = typeof place === "string" ? { dataDir: place } : place;
  if (input !== undefined) {
    const env = {
      TILLGATE_DATA: dataDir,
      ...(database !== undefined && { TILLGATE_DATABASE: database }),
    };
    return runProgram("admin/tillgate.ts", args, { env, input });
  }
  const where = database === undefined || args.length === 0 ? [] : ["--database", database];
  const finished = typed.then(() => runCommandLine([...args, ...where], dataDir));
  typed = finished.catch(() => undefined);
  return finished;
}
