import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findFreePort, type OwnPostgres, startOwnPostgres } from "./testing/postgres-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SECTION = /## From nothing to three processes\n([\s\S]*?)\n##/;
const needed = ["psql", "curl"].filter((name) => spawnSync(name, ["--version"]).status !== 0);

let server: OwnPostgres;
let root: string;
beforeEach(async () => {
  server = await startOwnPostgres();
  root = mkdtempSync(join(tmpdir(), "tillgate-guide-"));
});
afterEach(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

it.skipIf(needed.length > 0)(
  "every command from nothing to three processes works as written (needs psql and curl)",
  async () => {
    const guide = readFileSync(join(ROOT, "docs/postgresql.md"), "utf8");
    const section = SECTION.exec(guide)?.[1] ?? "";
    const commands = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
    expect(commands).toHaveLength(6);
    // Only the server, the password, the ports and where the directories are differ from what is typed.
    const { host, password } = new URL(server.address);
    let script = commands.join("\n").replaceAll("HOST:5432", host).replaceAll("PASSWORD", password);
    for (const port of ["8787", "8788", "8789"]) {
      script = script.replaceAll(port, String(await findFreePort()));
    }
    script = script.replaceAll("./data-", `${root}/data-`);
    // Each of them in a group of its own, as at a prompt: npm and what it has started.
    const end = "set -m; trap 'for job in $(jobs -p); do kill -- -$job; done; wait' EXIT\n";
    const result = spawnSync("bash", ["-euo", "pipefail", "-c", end + script], {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        ...process.env,
        PGPASSWORD: password,
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      },
    });
    expect(result.status, result.stdout + result.stderr).toBe(0);
    expect(result.stdout).toContain('"status":"ACCEPTED","transactionId":"first"');
    // The first has accepted it, and the third shows it.
    expect(result.stdout.match(/"transactionId":"first"/g)?.length).toBeGreaterThan(1);
    expect(result.stdout).toContain("The books are in order.");
  },
);
