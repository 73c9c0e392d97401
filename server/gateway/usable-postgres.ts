import { sql } from "kysely";
import { nameOfDatabase } from "../config/database.ts";
import { LastingError, StartupError, VersionError } from "../config/startup-error.ts";
import type { OnStatement } from "../db/connections.ts";
import type { Db } from "../db/database.ts";
import { databaseExists, databaseFile } from "../db/database-files.ts";
import { FileCheck } from "../db/file-check.ts";
import { EARLIER_REMEDY, migrations as ownMigrations } from "../db/migrations/index.ts";
import {
  MigrationFailed,
  type Migrations,
  prepareSchema,
  TablesInUse,
} from "../db/postgres/create-schema.ts";
import { HistoryWatch } from "../db/postgres/history-watch.ts";
import { DatabaseTaken, openPostgresDatabase } from "../db/postgres/open-database.ts";
import { openPool } from "../db/postgres/pool.ts";
import { refusePooling, UnfitServer } from "../db/postgres/server-mode.ts";
import type { WriteHealth } from "../db/write-health.ts";
import type { Clock } from "../lib/clock.ts";
import { recordAudit } from "../modules/books/audit-trail/index.ts";
import { doubtUnfinished } from "../modules/purchases/purchases/index.ts";
import { recordLost } from "../modules/safety/storage/index.ts";
import { noteMigration } from "../modules/safety/updates/index.ts";
import { DEFAULT_ACCOUNT } from "./first-start.ts";

export interface PostgresMeans {
  dataDir: string;
  clock: Clock;
  health: WriteHealth;
  /** True for a gateway. While a gateway runs, the shop cannot be moved. */
  isGateway: boolean;
  version: string;
  /** Called before any write if the database is an older state, or on another server. */
  onRestored?: ((found: FoundRestored) => void) | undefined;
  migrations?: Migrations;
}

class LastingMigrationError extends VersionError {
  override readonly isLasting = true;
}

export interface FoundRestored {
  /** Number of purchases whose status is queried before anything is sent. */
  unfinished: number;
  /** Number of this process's missing commits. */
  missing: number;
}

/** First PostgreSQL version with `random(min, max)` and `is json`. */
const LEAST_VERSION = 170_000;

/**
 * Opens or creates the database of a shop on a PostgreSQL server.
 * @param address for example `postgres://user:password@host:port/database`
 * @throws StartupError with the error and the remedy in one line
 */
export async function openUsablePostgres(
  address: string,
  {
    dataDir,
    clock,
    health,
    isGateway,
    version,
    onRestored,
    migrations = ownMigrations,
  }: PostgresMeans,
  onStatement?: OnStatement,
): Promise<{ db: Db; check: FileCheck }> {
  const name = nameOfDatabase(address);
  if (databaseExists(dataDir)) {
    throw new LastingError(
      `The data directory ${dataDir} holds a shop of its own (${databaseFile(dataDir)}). Nothing was changed. Start without --database to go on with it, or choose another directory with --data.`,
    );
  }
  let db: Db | undefined;
  try {
    const onCommit = () => health.succeeded();
    const presence = isGateway ? "gateway" : "command";
    const history = isGateway ? watchHistory({ dataDir, clock, onRestored }) : undefined;
    await refusePooling(address);
    db = await openPostgresDatabase(address, { onStatement, onCommit, presence, history });
    await requireServer(db, name);
    const at = clock.now();
    const found = await prepareSchema(db, migrations, {
      at,
      // Stores no backup, because backups are made with the server's own tools.
      atEnd: (tx) => noteMigration(tx, { version, backup: undefined, at }),
    });
    requireOwnSchema(found, name);
    // Uses a new connection, because the pool's connections are older than the created or migrated
    // tables.
    if (history && !history.isCompared) await compareOnce(address, history);
    return { db, check: createCheck(clock) };
  } catch (error) {
    await db?.destroy();
    if (error instanceof StartupError) throw error;
    if (error instanceof UnfitServer) {
      const text = `The database ${name} cannot keep a shop: ${error.message}. Nothing was changed. ${error.remedy}`;
      // These errors can end without a restart of Tillgate: a standby may be promoted, or a server
      // reopened.
      throw error.reason === "POOLED" ? new LastingError(text) : new StartupError(text);
    }
    if (error instanceof DatabaseTaken) {
      throw new StartupError(
        `The shop in the database ${name} is just being moved. Nothing was changed. Start again when that has ended.`,
      );
    }
    if (error instanceof MigrationFailed) {
      throw new LastingMigrationError(
        `The database ${name} could not be brought up to date: ${error.message}. It is as it was. Start the version of Tillgate that ran before, and report this.`,
      );
    }
    if (error instanceof TablesInUse) {
      throw new StartupError(
        `The database ${name} could not be brought up to date: others used its tables the whole time (${error.message}), as pg_dump does. It is as it was. Start again when that has ended.`,
      );
    }
    const text = `The database ${name} cannot be used: ${reasonOf(error)}.`;
    throw isAccessRefused(error) ? new LastingError(text) : new StartupError(text);
  }
}

/** @throws StartupError for tables that this version neither created nor can migrate */
function requireOwnSchema(found: Awaited<ReturnType<typeof prepareSchema>>, name: string): void {
  if (found === "FOREIGN") {
    throw new LastingError(
      `The database ${name} holds tables that are not Tillgate's. Nothing was changed. Give it an empty database of its own.`,
    );
  }
  if (found === "EARLIER") {
    throw new LastingMigrationError(
      `The database ${name} was made by an older Tillgate, whose tables this version cannot change. Nothing was changed. ${EARLIER_REMEDY}.`,
    );
  }
  if (found.length > 0) {
    throw new LastingError(
      `The database ${name} was made by a newer Tillgate (${found.join(", ")}). Nothing was changed. Start that version or a later one.`,
    );
  }
}

/**
 * Marks open purchases of a restored database as unknown, and records missing commits
 * (rules#fault-older-postgres).
 */
function watchHistory({
  dataDir,
  clock,
  onRestored,
}: Pick<PostgresMeans, "dataDir" | "clock" | "onRestored">): HistoryWatch {
  return new HistoryWatch({
    dataDir,
    clock,
    async onOther(tx, older) {
      const at = clock.now();
      const unfinished = await doubtUnfinished(tx);
      if (older) await recordLost(tx, older, at);
      if (unfinished === 0 && !older) return;
      await recordAudit(tx, {
        accountId: DEFAULT_ACCOUNT,
        staffId: undefined,
        action: "backup.restore",
        subject: "PostgreSQL",
        detail: { unfinished, missing: older?.commits ?? 0 },
        at,
      });
      onRestored?.({ unfinished, missing: older?.commits ?? 0 });
    },
  });
}

async function compareOnce(address: string, history: HistoryWatch): Promise<void> {
  const pool = openPool(address, 1);
  try {
    const client = await pool.connect();
    await history.compare(client).finally(() => client.release(true));
  } finally {
    await pool.end();
  }
}

/**
 * Returns whether the database contains a shop. Errors are reported when the database is opened.
 */
export async function holdsShop(address: string): Promise<boolean> {
  const pool = openPool(address, 1);
  try {
    const there = "select from pg_tables where schemaname = 'public' and tablename = 'accounts'";
    return (await pool.query(there)).rowCount !== 0;
  } catch {
    return true;
  } finally {
    await pool.end();
  }
}

/** @throws StartupError if the server is older than Tillgate requires */
export async function requireServer(db: Db, name: string): Promise<void> {
  const { rows } = await sql<{ number: string; version: string }>`
    select current_setting('server_version_num') as number,
      current_setting('server_version') as version`.execute(db);
  const [found] = rows;
  if (Number(found?.number) >= LEAST_VERSION) return;
  throw new LastingError(
    `The database ${name} is on PostgreSQL ${found?.version}. Nothing was changed. Tillgate needs version 17 or later.`,
  );
}

/** Returns a check that finds no damage, because the server checks its files itself. */
function createCheck(clock: Clock): FileCheck {
  return new FileCheck({
    when: "at opening",
    clock,
    sizeBytes: 0,
    findDamage: async () => undefined,
  });
}

/** SQLSTATE class 28: the user, the password or the server's pg_hba.conf must be changed. */
function isAccessRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("28");
}

function reasonOf(error: unknown): string {
  // There is one error for each address of the host.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return first instanceof Error ? first.message : String(first);
}
