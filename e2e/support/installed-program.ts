import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface InstalledProgram {
  readonly command: string;
  /** Fixed first arguments, if `command` starts another program, as `chroot` does. */
  readonly by?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningGateway {
  readonly url: string;
  stop(): Promise<number | null>;
}

/**
 * Returns the environment of a machine with Node, but without the project.
 * @param folder folder for the data and for a PATH directory that contains only Node
 */
export async function makePlainEnvironment(folder: string): Promise<Record<string, string>> {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await symlink(process.execPath, join(bin, "node"));
  return { PATH: `${bin}:/usr/bin:/bin`, TILLGATE_DATA: join(folder, "data"), HOME: folder };
}

/** @throws Error with the command's output if the command fails */
export async function runCommand(
  { command, by = [], env }: InstalledProgram,
  ...args: string[]
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...by, ...args], { env, cwd: "/" });
  return stdout.trim();
}

export async function serve(
  { command, by = [], env }: InstalledProgram,
  words: readonly string[] = ["serve", "--port", "0"],
): Promise<RunningGateway> {
  const child = spawn(command, [...by, ...words], { env, cwd: "/", stdio: "pipe" });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    url: await readAddress(child),
    stop() {
      child.kill("SIGTERM");
      return gone;
    },
  };
}

function readAddress(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (piece) => {
        output += String(piece);
        const found = /listening on (http:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    child.once("exit", () => reject(new Error(`the gateway ended: ${output}`)));
  });
}
