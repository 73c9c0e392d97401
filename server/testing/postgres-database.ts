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
 * Creates a database for one test.
 * @param template name of the database to copy
 * @returns address of the database
 */
export async function createTestDatabase(template = "template0"): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await command(`create database ${name} template ${template} strategy file_copy`);
  return inject("postgres").replace(/[^/]*$/, name);
}

export async function dropTestDatabase(address: string): Promise<void> {
  await command(`drop database ${nameOf(address)} with (force)`);
}

const TRIES = 3;

/** Repeats a statement whose checkpoint failed, which is a fault of the server alone. */
async function command(statement: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await serverPool().query(statement);
      return;
    } catch (error) {
      if (tried === TRIES || !/checkpoint request failed/.test(String(error))) throw error;
    }
  }
}

const nameOf = (address: string) => new URL(address).pathname.slice(1);

let opened: Pool | undefined;

/** Returns this worker's connections to the tests' server. */
function serverPool(): Pool {
  opened ??= new Pool({ connectionString: inject("postgres"), max: 2, allowExitOnIdle: true });
  return opened;
}

export async function makePlace(dataDir: string): Promise<Place> {
  return { dataDir, database: isOnPostgres() ? await createTestDatabase() : undefined };
}

export function testServer(): DatabaseServer {
  return {
    create: (template) => createTestDatabase(template && nameOf(template)),
    drop: dropTestDatabase,
    async cut(address) {
      const ended = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
      // Repeats until all connections have ended, because a rollback delays the end of its
      // connection.
      while ((await serverPool().query(ended, [nameOf(address)])).rowCount !== 0);
    },
  };
}

export async function openEmptyPostgres(schema = migrations): Promise<Db> {
  const db = await openPostgresDatabase(await createTestDatabase());
  await prepareSchema(db, schema, { at: 0 });
  return db;
}
