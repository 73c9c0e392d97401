import { CompiledQuery, type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Db } from "./database.ts";
import { isEarlier, migrations } from "./migrations/index.ts";

/**
 * Migrates the schema in one transaction, completely or not at all (rules#backup-before-migration).
 * SQLite does not check references during the migrations, because they change tables by recreating
 * them. All references are checked before the commit.
 * @param known all migrations of the target version
 * @param atEnd writes more in the same transaction, after the last migration
 * @throws the error of the first failed migration; the database is then unchanged
 */
export async function migrate(
  db: Db,
  known = migrations,
  atEnd: (tx: Kysely<unknown>) => Promise<void> = async () => {},
): Promise<void> {
  const getMigrations = async () => checked(known, atEnd);
  const migrator = new Migrator({ db, provider: { getMigrations } });
  await db.executeQuery(CompiledQuery.raw("pragma foreign_keys = off"));
  const { error } = await migrator.migrateToLatest();
  await db.executeQuery(CompiledQuery.raw("pragma foreign_keys = on"));
  if (error instanceof Error) throw error;
  if (error !== undefined) throw new Error("a migration failed", { cause: error });
}

/** Returns the migrations; the last one also calls `atEnd` and checks every reference. */
function checked(
  known: Record<string, Migration>,
  atEnd: (tx: Kysely<unknown>) => Promise<void>,
): Record<string, Migration> {
  // Migrations run in the order of their names.
  const name = Object.keys(known).toSorted().at(-1);
  const migration = name === undefined ? undefined : known[name];
  if (name === undefined || !migration) return known;
  return {
    ...known,
    [name]: {
      async up(db) {
        await migration.up(db);
        await atEnd(db);
        const { rows } = await db.executeQuery(CompiledQuery.raw("pragma foreign_key_check"));
        if (rows.length > 0) throw new Error(`${rows.length} rows would refer to nothing`);
      },
    },
  };
}

/** Migrations that this version does not know, and migrations that the database lacks. */
export interface SchemaVersion {
  unknown: string[];
  pending: string[];
  /**
   * True if a version before the baseline created the database. Such a database is not migrated.
   */
  isEarlier: boolean;
}

/**
 * Returns the unknown and pending migrations; undefined if Tillgate has never migrated the
 * database.
 */
export async function findSchemaVersion(db: Db): Promise<SchemaVersion | undefined> {
  const { rows: tables } = await sql`
    select 1 from sqlite_schema where name = 'kysely_migration'`.execute(db);
  if (tables.length === 0) return undefined;
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return {
    unknown: [...applied].filter((name) => !(name in migrations)),
    pending: Object.keys(migrations).filter((name) => !applied.has(name)),
    isEarlier: isEarlier(applied),
  };
}
