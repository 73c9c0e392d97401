import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { migrations } from "../db/migrations/index.ts";

/** Returns the migration of a future version, which is `step` versions after this version. */
function migrationOf(step: number): [string, Migration] {
  const table = `test_newer_${step}`;
  return [
    `9${String(step).padStart(2, "0")}-newer`,
    {
      async up(db) {
        await sql.raw(`create table ${table} (one integer primary key) strict`).execute(db);
        await sql.raw(`alter table shops add column newer_${step} text`).execute(db);
        // Rewrites every row of two large tables, so that the transaction exceeds the memory for
        // it.
        await sql.raw(`alter table transactions add column newer_${step} integer`).execute(db);
        await sql.raw(`update transactions set newer_${step} = created_at`).execute(db);
        await sql.raw(`alter table purchases add column newer_${step} text`).execute(db);
        await sql.raw(`update purchases set newer_${step} = input_json`).execute(db);
      },
    },
  ];
}

function becomeNewer(steps: number): void {
  for (let step = 1; step <= steps; step++) {
    const [name, migration] = migrationOf(step);
    migrations[name] = migration;
  }
}

/** Runs work as a future version, which has one more migration. */
export async function asNewer<T>(work: () => Promise<T>, broken?: Error): Promise<T> {
  const [name, migration] = migrationOf(1);
  migrations[name] = broken ? { up: () => Promise.reject(broken) } : migration;
  try {
    return await work();
  } finally {
    delete migrations[name];
  }
}

// A process that simulates a future version imports this file with `node --import`, also in its
// threads.
const steps = Number(process.env.TILLGATE_TEST_NEWER ?? 0);
if (steps > 0) becomeNewer(steps);
