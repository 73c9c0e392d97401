import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { type PostgresProxy, startPostgresProxy } from "../testing/postgres-proxy.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { nextPoll } from "../testing/until.ts";

let dataDir: string;
let address: string;
let proxy: PostgresProxy;
let server: ServerProcess | undefined;

beforeEach(async () => {
  const firstDay = inject("firstDay");
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-lost-at-start-"));
  cpSync(firstDay.dataDir, dataDir, { recursive: true });
  address = await createTestDatabase(firstDay.database);
  proxy = await startPostgresProxy(address);
});
afterEach(async () => {
  await server?.kill("SIGKILL");
  server = undefined;
  await proxy.close();
  await dropTestDatabase(address);
  rmSync(dataDir, { recursive: true, force: true });
});

async function readiness(): Promise<number> {
  return (await fetch(`${server?.url}/readyz`)).status;
}

describe("a process whose PostgreSQL fails after the process listens", () => {
  it.each([
    ["at once", 0],
    ["a few polls later", 5],
    ["once it has settled", 40],
  ])(
    "reports not ready without ending, and reports ready after the server is back (lost %s)",
    async (_when, polls) => {
      server = await startServerProcess({ dataDir, database: proxy.address });
      for (let poll = 0; poll < polls; poll++) await nextPoll();
      proxy.stopServer();
      await expect.poll(readiness).toBe(503);
      proxy.letThrough();
      await expect.poll(readiness).toBe(200);
      expect(server.child.exitCode).toBeNull();
    },
  );
});

describe("a process whose PostgreSQL fails during the process's start", () => {
  it.each([1, 6, 15, 40, 80, 140])(
    "ends with a message, or waits until the server is back (lost after %i requests)",
    async (after) => {
      proxy.stopServer({ after });
      const started = startServerProcess({ dataDir, database: proxy.address }).then(
        (process) => {
          server = process;
        },
        (error: Error) => error,
      );
      const error = await started;
      if (error) {
        expect(error.message).toMatch(/^the server ended: (The database|Tillgate) .*\.\n$/);
        return;
      }
      proxy.letThrough();
      await expect.poll(readiness).toBe(200);
    },
  );
});
