import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import SQLite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type Transaction,
} from "kysely";
import type { Tables } from "./tables.ts";

/** The open database. Reading functions take `Db | Tx`. */
export type Db = Kysely<Tables>;

/** A transaction in the hand: whoever writes needs one (`Tx` only). */
export type Tx = Transaction<Tables>;

/** Runs work in one transaction and tells the listeners once it is on the disk. */
export interface Transactor {
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  onCommit(listener: () => void): void;
}

export function createTransactor(db: Db): Transactor {
  const listeners: (() => void)[] = [];
  return {
    async transact(work) {
      const result = await db.transaction().execute(work);
      for (const listener of listeners) listener();
      return result;
    },
    onCommit(listener) {
      listeners.push(listener);
    },
  };
}

/** Runs queries that must agree with each other on one snapshot; blocks no writer. */
export function readSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw("begin deferred"));
    try {
      return await work(connection);
    } finally {
      await connection.executeQuery(CompiledQuery.raw("rollback"));
    }
  });
}

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Every transaction of ours writes, so it takes the write lock when it begins. A deferred one
 * would fail in the middle whenever the command line wrote since its first read.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #database: SQLite.Database;
  constructor(database: SQLite.Database) {
    super({ database });
    this.#database = database;
  }
  /** SQLite rolls back by itself when the disk is full: rolling back again would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: SQLite.Database;
  constructor(database: SQLite.Database) {
    super({ database });
    this.#database = database;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#database);
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, "tillgate.db");
}

/**
 * Opens (or creates) the database of a data directory: WAL, every commit on the disk before it is
 * answered, foreign keys enforced.
 * @throws when the file cannot be opened or is not a database.
 */
export function openDatabase(dataDir: string): Db {
  makeDataDir(dataDir);
  const sqlite = new SQLite(databaseFile(dataDir), { timeout: BUSY_TIMEOUT_MS });
  try {
    // It holds hashes of PINs and keys; the files beside it get the same mode.
    chmodSync(databaseFile(dataDir), 0o600);
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("trusted_schema = OFF");
    return new Kysely<Tables>({ dialect: new ImmediateDialect(sqlite) });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Whether there is a database in a data directory. */
export function databaseExists(dataDir: string): boolean {
  return existsSync(databaseFile(dataDir));
}

/** A database in memory, for dumping the schema. */
export function openScratchDatabase(): Db {
  return new Kysely<Tables>({ dialect: new ImmediateDialect(new SQLite(":memory:")) });
}

/**
 * Holds the data directory for one gateway. The lock is the operating system's, on a file of its
 * own, so it ends with the process however that ends. `undefined` when another gateway has it.
 */
export function lockDataDir(dataDir: string): { release(): void } | undefined {
  makeDataDir(dataDir);
  const lock = new SQLite(join(dataDir, "gateway.lock"), { timeout: 0 });
  try {
    lock.pragma("journal_mode = DELETE");
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}

/** Makes the directory, for its owner only. Node's own recursive `mkdir` hangs below `/proc`. */
function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  makeDataDir(dirname(dataDir));
  mkdirSync(dataDir, { mode: 0o700 });
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Whether a write failed because such a row exists already. */
export function isDuplicate(error: unknown): boolean {
  return (
    error instanceof SQLite.SqliteError &&
    (error.code === "SQLITE_CONSTRAINT_PRIMARYKEY" || error.code === "SQLITE_CONSTRAINT_UNIQUE")
  );
}
