import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import type { Db } from "../db/database.ts";
import { prepareSchema } from "../db/postgres/create-schema.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";
import { openPool } from "../db/postgres/pool.ts";
import { readSchema } from "../usable-postgres.ts";

/**
 * Makes a database of a test's own on the tests' server.
 * @param template the name of one that it is a copy of
 * @returns its address
 */
export async function createTestDatabase(template = "template0"): Promise<string> {
  const server = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const pool = openPool(server, 1);
  await pool.query(`create database ${name} template ${template}`);
  await pool.end();
  return server.replace(/[^/]*$/, name);
}

/** Removes it, though others may have it open. */
export async function dropTestDatabase(address: string): Promise<void> {
  const pool = openPool(inject("postgres"), 1);
  await pool.query(`drop database ${new URL(address).pathname.slice(1)} with (force)`);
  await pool.end();
}

/** Opens a new database that has its tables, and nothing in them. */
export async function openEmptyPostgres(schema = readSchema()): Promise<Db> {
  const db = await openPostgresDatabase(await createTestDatabase());
  await prepareSchema(db, schema, { at: 0 });
  return db;
}
