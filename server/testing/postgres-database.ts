import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { inject } from "vitest";
import type { Db } from "../db/database.ts";
import { migrations } from "../db/migrations/index.ts";
import { prepareSchema } from "../db/postgres/create-schema.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";
import { isOnPostgres } from "./only-sqlite.ts";
import type { Place } from "./place.ts";
import type { DatabaseServer } from "./simulation/template-shop.ts";

/**
 * Makes a database of a test's own on the tests' server.
 * @param template the name of one that it is a copy of
 * @returns its address
 */
export async function createTestDatabase(template = "template0"): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await serverPool().query(`create database ${name} template ${template} strategy file_copy`);
  return inject("postgres").replace(/[^/]*$/, name);
}

/** Removes it, though others may have it open. */
export async function dropTestDatabase(address: string): Promise<void> {
  await serverPool().query(`drop database ${nameOf(address)} with (force)`);
}

const nameOf = (address: string) => new URL(address).pathname.slice(1);

let opened: Pool | undefined;

/** Connections of this worker's to the tests' server, which end with it. */
function serverPool(): Pool {
  opened ??= new Pool({ connectionString: inject("postgres"), max: 2, allowExitOnIdle: true });
  return opened;
}

/** Where a shop can begin: a directory, and an empty database where the tests at hand run on PostgreSQL. */
export async function makePlace(dataDir: string): Promise<Place> {
  return { dataDir, database: isOnPostgres() ? await createTestDatabase() : undefined };
}

/** The tests' server, for shops of the simulation. */
export function testServer(): DatabaseServer {
  return {
    create: (template) => createTestDatabase(template && nameOf(template)),
    drop: dropTestDatabase,
    async cut(address) {
      const ended = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
      // Until nobody is left: one that has something to undo takes a moment.
      while ((await serverPool().query(ended, [nameOf(address)])).rowCount !== 0);
    },
  };
}

/** Opens a new database that has its tables, and nothing in them. */
export async function openEmptyPostgres(schema = migrations): Promise<Db> {
  const db = await openPostgresDatabase(await createTestDatabase());
  await prepareSchema(db, schema, { at: 0 });
  return db;
}
