import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "./db/database.ts";
import { auditBooks } from "./modules/books/audit/index.ts";
import { findLastStarted } from "./modules/safety/updates/index.ts";
import { writerOf } from "./testing/direct-writes.ts";
import { expectRefusal } from "./testing/expect-refusal.ts";
import { runProgram } from "./testing/run-program.ts";
import { startServerProcess } from "./testing/server-process.ts";

/** Tests the headless gateway with real processes and signals. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-main-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function freshDir(): string {
  return join(mkdtempSync(join(root, "data-")), "new", "directory");
}

function faultyVersion(): string {
  const newer = new URL("testing/newer-version.ts", import.meta.url).href;
  const app = new URL("http/later-app.ts", import.meta.url).href;
  const fault = `import { LaterApp } from ${JSON.stringify(app)};
    LaterApp.prototype.make = () => Promise.reject(new Error("a fault of the new version"));`;
  return `--import ${newer} --import data:text/javascript,${encodeURIComponent(fault)}`;
}

it("a version that fails after listening advises the installation of the previous version, which works", {
  tags: ["thorough"],
}, async () => {
  const dataDir = freshDir();
  const older = await startServerProcess(dataDir);
  const db = openDatabase(dataDir);
  await vi.waitFor(async () => expect(await findLastStarted(db)).toBeDefined(), 20_000);
  expect(await older.kill("SIGTERM")).toBe(0);
  await writerOf(db).updateTable("program_versions").set({ version: "0.0.9" }).execute();
  await db.destroy();

  const env = { NODE_OPTIONS: faultyVersion(), TILLGATE_TEST_NEWER: "1" };
  for (let count = 0; count < 2; count++) {
    const failed = await runProgram("main.ts", ["--data", dataDir, "--port", "0"], { env });
    expect(failed.stdout).toContain("Tillgate is listening on");
    expect(failed.stderr).toContain("a fault of the new version");
    expect(failed.stderr).toMatch(/nothing was sold since .* Install Tillgate 0\.0\.9 again/);
    expect(failed.exitCode).toBe(1);
  }
  const back = await startServerProcess(dataDir);
  expect((await fetch(`${back.url}/pos/status`)).status).toBe(200);
  expect(await back.kill("SIGTERM")).toBe(0);
});

describe("a gateway in a separate process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "creates its data directory, serves, and ends on %s with exit code 0 and an intact database",
    async (signal) => {
      const dataDir = freshDir();
      const server = await startServerProcess(dataDir);
      expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
      // A kept-alive connection must not delay the gateway's end.
      const status = await fetch(`${server.url}/pos/status`);
      expect(await status.json()).toMatchObject({ setUp: false });
      expect((await fetch(`${server.url}/v1/balance`)).status).toBe(401);
      expect(await server.kill(signal)).toBe(0);
      expect(existsSync(join(dataDir, "tillgate.db-wal"))).toBe(false);
      const db = openDatabase(dataDir);
      expect((await auditBooks(db)).clean).toBe(true);
      await db.destroy();
    },
  );

  it("locks its data directory while it runs", {
    tags: ["thorough"],
  }, async () => {
    const dataDir = freshDir();
    const first = await startServerProcess(dataDir);
    const second = await runProgram("main.ts", ["--data", dataDir, "--port", "0"]);
    expectRefusal(second, /^Another Tillgate is running on the data directory /);
    expect((await fetch(`${first.url}/pos/status`)).status).toBe(200);
    await first.kill("SIGKILL");
    const third = await startServerProcess(dataDir);
    expect(await third.kill("SIGTERM")).toBe(0);
  });

  it("reads directory, port and host from the environment, but options have precedence", {
    tags: ["thorough"],
  }, async () => {
    const dataDir = freshDir();
    const file = fileURLToPath(new URL("main.ts", import.meta.url));
    const env = { TILLGATE_DATA: dataDir, TILLGATE_PORT: "0", TILLGATE_HOST: "127.0.0.2" };
    const child = spawn(process.execPath, [file, "--host", "localhost"], { env, stdio: "pipe" });
    const ended = once(child, "exit");
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    expect(String(line)).toMatch(/^Tillgate is listening on http:\/\/localhost:\d+\n$/);
    expect(existsSync(join(dataDir, "tillgate.db"))).toBe(true);
    child.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

  it("uses the environment's host if no option names a host", async () => {
    const env = { TILLGATE_DATA: freshDir(), TILLGATE_PORT: "0", TILLGATE_HOST: "no such host" };
    // After this exit code, a service manager does not start the service again.
    expectRefusal(await runProgram("main.ts", [], { env }), /--host \(TILLGATE_HOST\)/, 70);
  });

  it("prints its usage", async () => {
    const finished = await runProgram("main.ts", ["--help"]);
    expect(finished.exitCode).toBe(0);
    expect(finished.stderr).toBe("");
    for (const option of ["--data", "--port", "--host", "TILLGATE_DATA"]) {
      expect(finished.stdout).toContain(option);
    }
  });
});

describe("a failing start", () => {
  it("names the port that is in use, or the address that belongs to another machine", {
    tags: ["thorough"],
  }, async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const [taken, foreign] = await Promise.all([
      runProgram("main.ts", ["--data", freshDir(), "--port", port]),
      runProgram("main.ts", [
        "--data",
        freshDir(),
        "--port",
        "0",
        "--host",
        "192.0.2.1",
        "--insecure-http",
      ]),
    ]);
    other.close();
    expectRefusal(taken, new RegExp(`^The port 127\\.0\\.0\\.1:${port} is in use`));
    expectRefusal(foreign, /^192\.0\.2\.1 is not an address of this machine\.$/m);
  });
});
