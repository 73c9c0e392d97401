import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const guide = readFileSync(join(ROOT, "docs/integrate.md"), "utf8");
const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-guide-"));
  server = await startServerProcess(dataDir);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

it.skipIf(!hasCurl)(
  "every command of docs/integrate.md works as written (needs curl)",
  async () => {
    expect(commands.length).toBeGreaterThan(6);
    // Only the address in the commands is replaced by this gateway's address.
    const script = commands.join("\n").replaceAll("http://127.0.0.1:8787", server.url);
    const result = spawnSync("bash", ["-euxo", "pipefail", "-c", script], {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        ...process.env,
        TILLGATE_DATA: dataDir,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      },
    });
    expect(result.status, result.stderr).toBe(0);
    expect(result.stdout).toContain('"status":"ACCEPTED","transactionId":"order-1"');
    expect(result.stdout).toContain('"status":"DONE"');
    expect(result.stdout).toContain("1000.00 USD available");
    expect((await typeCommand(dataDir, ["audit"])).exitCode).toBe(0);
  },
  // The commands start thirty programs one after another.
  5 * 60_000,
);
