import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program of ours to its end, as somebody would at a prompt, in an empty environment. */
export async function runProgram(
  program: "main.ts" | "admin/tillgate.ts",
  args: string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Finished> {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { env, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  // A character may come in two pieces.
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
