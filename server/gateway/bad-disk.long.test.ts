import { execFileSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabaseFile } from "../db/database.ts";
import { typeCommand } from "../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";

/** Bytes in the header of SQLite's write-ahead log, and of each of its pages. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** Real processes run on disks that are full, fail, or lose the last writes. */
let root: string;
let template: string;
let key: string;
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), "tillgate-bad-disk-"));
  const made = await typeCommand(template, ["keys", "create", "--env", "test", "--name", "t"]);
  expect(made.stderr).toBe("");
  await typeCommand(template, ["wallet", "set", "--env", "test", "--amount", "1000000"]);
  key = made.stdout.trim();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-bad-disk-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Uses a new connection, because an idle connection may be closed while the disk is slow. */
const ONCE = { connection: "close" };

class Seller {
  readonly accepted: string[] = [];
  readonly refused: string[] = [];

  constructor(dataDir: string) {
    cpSync(template, dataDir, { recursive: true });
  }

  async get(server: ServerProcess, path: string) {
    const headers = { authorization: `Bearer ${key}`, ...ONCE };
    const response = await fetch(server.url + path, { headers });
    return { status: response.status, body: await response.json() };
  }

  async sell(server: ServerProcess): Promise<number> {
    const transactionId = `sale-${this.accepted.length + this.refused.length}`;
    const response = await fetch(`${server.url}/v1/topups/purchases`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...ONCE },
      body: JSON.stringify({
        offerId: "TIGO_GT_TOPUP_25",
        transactionId,
        recipientPhoneNumber: "+50251234567",
      }),
    });
    (response.status === 200 ? this.accepted : this.refused).push(transactionId);
    return response.status;
  }

  async sellUntilRefused(server: ServerProcess): Promise<void> {
    for (let n = 0; n < 2_000; n++) {
      const status = await this.sell(server);
      if (status === 200) continue;
      expect(status).toBe(503);
      return;
    }
    throw new Error("the disk never failed");
  }

  async expectTruth(server: ServerProcess): Promise<void> {
    for (const id of this.accepted) {
      await expect
        .poll(async () => (await this.get(server, `/v1/topups/purchases/${id}`)).body.status)
        .toBe("DONE");
    }
    for (const id of this.refused) {
      expect((await this.get(server, `/v1/topups/purchases/${id}`)).status).toBe(404);
    }
  }
}

/** @returns false if this user has no permission to mount */
function mountSmallDisk(dir: string): boolean {
  mkdirSync(dir);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", dir], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function buildFailingDisk(): string | undefined {
  const source = fileURLToPath(new URL("../testing/failing-disk.c", import.meta.url));
  const library = join(root, "failing-disk.so");
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"], { stdio: "ignore" });
    return library;
  } catch {
    return undefined;
  }
}

describe("a full disk", () => {
  it("stops sales and fails the readiness check; sales resume after space is freed", async (test) => {
    const disk = join(root, "disk");
    if (!mountSmallDisk(disk)) {
      test.skip("this user may not mount a small file system");
      return;
    }
    try {
      const dataDir = join(disk, "data");
      const seller = new Seller(dataDir);
      const server = await startServerProcess(dataDir);
      expect(await seller.sell(server)).toBe(200);
      const filler = join(disk, "filler");
      fill(filler);
      await seller.sellUntilRefused(server);
      expect(await seller.get(server, "/readyz")).toMatchObject({
        status: 503,
        body: { errorCode: "SYSTEM_UNAVAILABLE", message: expect.stringMatching(/disk is full/) },
      });
      expect((await seller.get(server, "/healthz")).status).toBe(200);
      expect((await seller.get(server, "/v1/balance")).status).toBe(200);

      rmSync(filler);
      await expect.poll(async () => (await seller.get(server, "/readyz")).status).toBe(200);
      expect(await seller.sell(server)).toBe(200);
      // No restart is needed: the gateway itself queries the purchases sent while the disk was
      // full.
      await seller.expectTruth(server);
      expect(await server.kill("SIGTERM")).toBe(0);
      const next = await startServerProcess(dataDir);
      await seller.expectTruth(next);
      expect(await next.kill("SIGTERM")).toBe(0);
      expect((await typeCommand(dataDir, ["audit"])).exitCode).toBe(0);
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  });
});

function fill(file: string): void {
  for (let size = 1 << 20; size >= 4_096; ) {
    try {
      writeFileSync(file, Buffer.alloc(size, 1), { flag: "a" });
    } catch {
      size /= 2;
    }
  }
}

describe("a disk whose writes fail", () => {
  it("stops sales and fails the readiness check; accepted sales exist after writes work again", async (test) => {
    const library = buildFailingDisk();
    if (!library) {
      test.skip("there is no C compiler for a disk that fails");
      return;
    }
    const dataDir = join(root, "data");
    const flag = join(root, "fail");
    const seller = new Seller(dataDir);
    const env = { LD_PRELOAD: library, FAILING_DISK: flag };
    const server = await startServerProcess(dataDir, "0", env);
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 5; n++) expect(await seller.sell(server)).toBe(200);
      writeFileSync(flag, "");
      await seller.sellUntilRefused(server);
      expect((await seller.get(server, "/readyz")).status).toBe(503);
      rmSync(flag);
      await expect.poll(async () => (await seller.get(server, "/readyz")).status).toBe(200);
    }
    await seller.expectTruth(server);
    expect(await server.kill("SIGKILL")).toBe(null);
    const next = await startServerProcess(dataDir);
    await seller.expectTruth(next);
    expect((await seller.get(next, "/readyz")).body).toMatchObject({ missing: false });
    expect(await next.kill("SIGTERM")).toBe(0);
    expect((await typeCommand(dataDir, ["audit"])).exitCode).toBe(0);
  });
});

describe("a disk whose reads fail", () => {
  it("makes the gateway not ready as soon as sales fail", async (test) => {
    const library = buildFailingDisk();
    if (!library) {
      test.skip("there is no C compiler for a disk that fails");
      return;
    }
    const dataDir = join(root, "data");
    const flag = join(root, "fail");
    const seller = new Seller(dataDir);
    const server = await startServerProcess(dataDir, "0", {
      LD_PRELOAD: library,
      FAILING_READS: flag,
    });
    expect(await seller.sell(server)).toBe(200);
    writeFileSync(flag, "");
    // Cached pages can still be read, so some sales succeed.
    await seller.sellUntilRefused(server);
    const ready = await seller.get(server, "/readyz");
    expect(ready).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/cannot be read or written|is damaged/) },
    });
    rmSync(flag);
    await expect
      .poll(async () => (await seller.get(server, "/readyz")).status, { timeout: 60_000 })
      .toBe(200);
    expect(await seller.sell(server)).toBe(200);
    await seller.expectTruth(server);
    expect(await server.kill("SIGTERM")).toBe(0);
    expect((await typeCommand(dataDir, ["audit"])).exitCode).toBe(0);
  });
});

describe("after a power cut with a lost write-ahead log", () => {
  it.each<[string, (log: string) => void]>([
    ["deleted", (log) => rmSync(log)],
    ["empty", (log) => truncateSync(log, 0)],
    ["cut in the middle", (log) => truncateSync(log, findMiddle(log))],
    ["spoilt at its beginning", (log) => scribble(log, 0)],
    ["spoilt in the middle", (log) => scribble(log, findMiddle(log))],
  ])("the next start reports the number of missing transactions (log %s)", async (how, lose) => {
    const dataDir = join(root, "data");
    const seller = new Seller(dataDir);
    do {
      const server = await startServerProcess(dataDir);
      for (let n = 0; n < 30; n++) expect(await seller.sell(server)).toBe(200);
      await server.kill("SIGKILL");
      // A checkpoint just before the kill may have emptied the log. Then the test tries again.
    } while ((await countWithoutLog(dataDir)) >= seller.accepted.length);
    const log = join(dataDir, "tillgate.db-wal");
    expect(existsSync(log)).toBe(true);
    lose(log);

    let next: ServerProcess;
    try {
      next = await startServerProcess(dataDir);
    } catch (error) {
      // Part of the log was already in the database file. The file is invalid without the rest of
      // the log.
      expect(String(error)).toMatch(/cannot be used: .*(damaged|malformed)/);
      return;
    }
    let absent = 0;
    for (const id of seller.accepted) {
      const { status } = await seller.get(next, `/v1/topups/purchases/${id}`);
      if (status === 404) absent += 1;
    }
    if (how.endsWith("in the middle") && absent === 0) {
      // If no sale is missing, the lost part of the log was already in the database file.
      const { stdout } = await typeCommand(dataDir, ["status"]);
      expect(stdout).not.toMatch(/^MISSING: [1-9]/m);
      await next.kill("SIGTERM");
      return;
    }
    expect(absent).toBeGreaterThan(0);
    expect((await seller.get(next, "/readyz")).body).toMatchObject({ missing: true });
    const { stdout } = await typeCommand(dataDir, ["status"]);
    expect(stdout).toMatch(new RegExp(`^MISSING: ${absent} transactions \\(`, "m"));
    if (how === "deleted") {
      await expect
        .poll(async () => (await seller.get(next, "/readyz")).body.books, { interval: 500 })
        .toBe("in order");
    }
    expect(await next.kill("SIGTERM")).toBe(0);
  });
});

async function countWithoutLog(dataDir: string): Promise<number> {
  const copy = join(root, "without-log.db");
  copyFileSync(join(dataDir, "tillgate.db"), copy);
  try {
    const db = openDatabaseFile(copy, "write");
    const rows = await db.selectFrom("transactions").select("transaction_id").execute();
    await db.destroy();
    return rows.length;
  } catch {
    return 0;
  }
}

/**
 * Returns the number of valid pages in the log. Old pages can remain behind them, because the log
 * is overwritten from its beginning.
 */
function readLog(log: string): { count: number; frameSize: number } {
  const bytes = readFileSync(log);
  const frameSize = FRAME_HEADER + bytes.readUInt32BE(8);
  const salt = bytes.readBigUInt64BE(16);
  let count = 0;
  for (let at = LOG_HEADER; at + frameSize <= bytes.length; at += frameSize) {
    if (bytes.readBigUInt64BE(at + 8) !== salt) break;
    count += 1;
  }
  return { count, frameSize };
}

function findMiddle(log: string): number {
  const { count, frameSize } = readLog(log);
  return LOG_HEADER + Math.floor(count / 2) * frameSize;
}

function scribble(file: string, at: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(64, 0xa5), 0, 64, at);
  closeSync(handle);
}
