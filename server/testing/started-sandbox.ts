import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM_DIR } from "../program.ts";

export interface StartedSandbox {
  readonly sandbox: string;
  readonly url: string;
  readonly key: string;
  readonly webhookSecret: string;
  /** Folder that contains only the sandbox's temporary folder. */
  readonly folder: string;
  readonly output: string;
  call(method: string, path: string, body?: unknown, headers?: object): Promise<SandboxAnswer>;
  /**
   * Sends a signal and waits for the sandbox's end.
   * @returns the exit code, and in `left` the remaining entries of `folder`
   */
  stop(signal?: NodeJS.Signals): Promise<{ exitCode: number | null; left: string[] }>;
}

interface SandboxAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
  body: any;
}

/**
 * @param options options of `sandbox start --ephemeral`
 * @param isByNpm starts the sandbox in a shell that does not pass signals on, as `npm run` does
 */
export async function startSandbox(
  options: string[] = [],
  { isByNpm = false } = {},
): Promise<StartedSandbox> {
  const folder = mkdtempSync(join(tmpdir(), "tillgate-test-sandbox-"));
  const program = join(PROGRAM_DIR, "server/admin/tillgate.ts");
  const args = [program, "sandbox", "start", "--ephemeral", ...options];
  const [command, words] = isByNpm
    ? ["sh", ["-c", '"$@"; true', "sh", process.execPath, ...args]]
    : [process.execPath, args];
  const child = spawn(command, words, {
    env: {
      ...process.env,
      TMPDIR: folder,
      // npm sets this variable for every program that it starts.
      npm_lifecycle_event: "tillgate",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  let output = "";
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("\n")) resolve(output);
    });
    void ended.then((code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  const report = JSON.parse(line) as Pick<
    StartedSandbox,
    "sandbox" | "url" | "key" | "webhookSecret"
  >;
  return {
    ...report,
    folder,
    get output() {
      return output;
    },
    async call(method, path, body, headers = {}) {
      const response = await fetch(report.url + path, {
        method,
        headers: {
          authorization: `Bearer ${report.key}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const exitCode = await ended;
      const left = readdirSync(folder);
      rmSync(folder, { recursive: true, force: true });
      return { exitCode, left };
    },
  };
}
