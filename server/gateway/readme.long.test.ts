import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-readme-"));
  server = await startServerProcess(dataDir);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

it.skipIf(!hasCurl)(
  "the README's first API call buys a top-up as written (needs curl)",
  () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const commands = /## First API call[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    const script = commands.replaceAll("http://127.0.0.1:8787", server.url);
    const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        ...process.env,
        TILLGATE_DATA: dataDir,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      },
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('"status":"ACCEPTED","transactionId":"order-1"');
    expect(stdout).toContain('"status":"DONE"');
  },
  60_000,
);
