import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "./db/database.ts";
import { auditBooks } from "./modules/audit/index.ts";
import { type Finished, runProgram } from "./testing/run-program.ts";
import { startServerProcess } from "./testing/server-process.ts";

/** The headless host as a person runs it: real processes, real signals. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-main-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function freshDir(): string {
  return join(mkdtempSync(join(root, "data-")), "new", "directory");
}

/** One line of words, a failure, and nothing that only a programmer could read. */
function expectRefusal(finished: Finished, words: RegExp): void {
  expect(finished.stderr).toMatch(words);
  expect(finished.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(finished.stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  expect(finished.stdout).toBe("");
  expect(finished.exitCode).toBe(1);
}

describe("a gateway in a process of its own", () => {
  it("makes its data directory, prints its address and serves", async () => {
    const dataDir = freshDir();
    const server = await startServerProcess(dataDir);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const status = await fetch(`${server.url}/pos/status`);
    expect(await status.json()).toMatchObject({ setUp: false });
    expect((await fetch(`${server.url}/v1/balance`)).status).toBe(401);
    expect(await server.kill("SIGTERM")).toBe(0);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "ends on %s with exit code 0 and leaves a database in order",
    async (signal) => {
      const dataDir = freshDir();
      const server = await startServerProcess(dataDir);
      // A browser keeps connections open; the end does not wait for it.
      await (await fetch(`${server.url}/pos/status`)).text();
      expect(await server.kill(signal)).toBe(0);
      expect(existsSync(join(dataDir, "tillgate.db-wal"))).toBe(false);
      const db = openDatabase(dataDir);
      expect((await auditBooks(db)).clean).toBe(true);
      await db.destroy();
    },
  );

  it("has its data directory to itself, and gives it up when it ends", async () => {
    const dataDir = freshDir();
    const first = await startServerProcess(dataDir);
    const second = await runProgram("main.ts", ["--data", dataDir, "--port", "0"]);
    expectRefusal(second, /^Another Tillgate is running on the data directory /);
    expect((await fetch(`${first.url}/pos/status`)).status).toBe(200);
    await first.kill("SIGKILL");
    const third = await startServerProcess(dataDir);
    expect(await third.kill("SIGTERM")).toBe(0);
  });

  it("takes its directory, port and host from the environment, and the options before them", async () => {
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

  it("takes the host of the environment where no option names one", async () => {
    const env = { TILLGATE_DATA: freshDir(), TILLGATE_PORT: "0", TILLGATE_HOST: "no such host" };
    expectRefusal(await runProgram("main.ts", [], { env }), /--host \(TILLGATE_HOST\)/);
  });

  it("shows how it is used", async () => {
    const finished = await runProgram("main.ts", ["--help"]);
    expect(finished.exitCode).toBe(0);
    expect(finished.stderr).toBe("");
    for (const option of ["--data", "--port", "--host", "TILLGATE_DATA"]) {
      expect(finished.stdout).toContain(option);
    }
  });
});

describe("a start that cannot be", () => {
  it("because of what was typed", async () => {
    const data = ["--data", freshDir()];
    const cases: [string[], RegExp][] = [
      [["--bogus"], /--bogus/],
      [["surplus"], /surplus/],
      [["--port"], /--port/],
      [["--port", "http"], /--port .* 0 to 65535, not "http"/],
      [["--port", "65536"], /0 to 65535/],
      [["--port=-1"], /0 to 65535/],
      [["--host", "a b"], /--host/],
      [["--data", ""], /--data/],
    ];
    const finished = await Promise.all(
      cases.map(([args]) => runProgram("main.ts", [...data, ...args])),
    );
    for (const [n, [, words]] of cases.entries()) expectRefusal(finished[n]!, words);
  });

  it("because of what the environment says", async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ TILLGATE_PORT: "many" }, /TILLGATE_PORT/],
      [{ TILLGATE_LOG: "loud" }, /TILLGATE_LOG/],
      [{ TILLGATE_DATA: " " }, /TILLGATE_DATA/],
    ];
    const finished = await Promise.all(cases.map(([env]) => runProgram("main.ts", [], { env })));
    for (const [n, [, words]] of cases.entries()) expectRefusal(finished[n]!, words);
  });

  it("because of the data directory", async () => {
    const file = join(root, "a-file");
    writeFileSync(file, "");
    const rubbish = join(root, "rubbish");
    mkdirSync(rubbish);
    writeFileSync(join(rubbish, "tillgate.db"), "This is no database. ".repeat(500));
    // Nobody may write there, not even the superuser.
    const closed = process.platform === "linux" ? "/sys/tillgate" : "/dev/null/tillgate";
    const cases: [string, RegExp][] = [
      [file, /^The data directory .*a-file cannot be used: /],
      [join(file, "below"), /^The data directory .* cannot be used: /],
      [closed, /^The data directory .* cannot be used: /],
      [rubbish, /^The database .*tillgate\.db cannot be used: file is not a database\./],
    ];
    const finished = await Promise.all(
      cases.map(([data]) => runProgram("main.ts", ["--data", data, "--port", "0"])),
    );
    for (const [n, [, words]] of cases.entries()) expectRefusal(finished[n]!, words);
  });

  it("because the port is taken, or the address is not this machine's", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const [taken, foreign] = await Promise.all([
      runProgram("main.ts", ["--data", freshDir(), "--port", port]),
      runProgram("main.ts", ["--data", freshDir(), "--port", "0", "--host", "192.0.2.1"]),
    ]);
    other.close();
    expectRefusal(taken, new RegExp(`^The port 127\\.0\\.0\\.1:${port} is in use`));
    expectRefusal(foreign, /^192\.0\.2\.1 is not an address of this machine\.$/m);
  });
});
