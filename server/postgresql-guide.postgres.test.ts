import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFreePort, type OwnPostgres, startOwnPostgres } from "./testing/postgres-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
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

/** The commands of a section, with the server, the password, the ports and the directories of this test. */
async function commandsOf(title: string): Promise<string[]> {
  const guide = readFileSync(join(ROOT, "docs/postgresql.md"), "utf8");
  const section = guide.split(/^##+ /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
  const { host, password } = new URL(server.address);
  const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands = ""]) =>
    commands
      .replaceAll("HOST:5432", host)
      .replaceAll("PASSWORD", password)
      .replaceAll(/878[789]/g, (port) => String(ports[Number(port) - 8787]))
      .replaceAll(" ./", ` ${root}/`),
  );
}

function type(commands: readonly string[]) {
  // Each of them in a group of its own, as at a prompt: npm and what it has started.
  const end = "set -m; trap 'for job in $(jobs -p); do kill -- -$job; done; wait' EXIT\n";
  return spawnSync("bash", ["-euo", "pipefail", "-c", end + commands.join("\n")], {
    cwd: ROOT,
    encoding: "utf8",
    env: {
      ...process.env,
      PGPASSWORD: new URL(server.address).password,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    },
  });
}

describe.skipIf(needed.length > 0)("every command works as written (needs psql and curl)", () => {
  it("from nothing to three processes", async () => {
    const commands = await commandsOf("From nothing to three processes");
    expect(commands).toHaveLength(6);
    const result = type(commands);
    expect(result.status, result.stdout + result.stderr).toBe(0);
    expect(result.stdout).toContain('"status":"ACCEPTED","transactionId":"first"');
    // The first has accepted it, and the third shows it.
    expect(result.stdout.match(/"transactionId":"first"/g)?.length).toBeGreaterThan(1);
    expect(result.stdout).toContain("The books are in order.");
  });

  it("of a shop that moves from a file to a server", async () => {
    const [makeDatabase = "", setUp = ""] = await commandsOf("From nothing to three processes");
    const inFile = setUp.replace(/^.*TILLGATE_DATABASE=.*$/m, "").replace("/data-1", "/data");
    const commands = await commandsOf("Moving a shop");
    expect(commands).toHaveLength(3);
    const result = type([makeDatabase, inFile, ...commands]);
    expect(result.status, result.stdout + result.stderr).toBe(0);
    expect(result.stdout).toContain("The books are in order.");
    // What was set up beside the old database is there, under the address of the new one.
    expect(result.stdout).toMatch(/ rows/);
  });
});
