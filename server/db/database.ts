import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import SQLite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type Transaction,
} from "kysely";
import type { Clock } from "../lib/clock.ts";
import type { Sealer } from "../lib/sealer.ts";
import { type CommitCount, CommitWitness } from "./commit-witness.ts";
import { checksumOf } from "./row-checksum.ts";
import type { Tables } from "./tables.ts";
import { refuseInside, runInTransaction } from "./transaction-scope.ts";
import type { WriteHealth } from "./write-health.ts";

/** The open database. Reading functions take `Db | Tx`. */
export type Db = Kysely<Tables>;

/** A transaction in the hand: whoever writes needs one (`Tx` only). */
export type Tx = Transaction<Tables>;

/** The connection behind an open database, by which its transactions know each other. */
const ownerOf = new WeakMap<Db, object>();

/**
 * Runs work in one transaction and tells the listeners once it is on the disk. A transaction inside a
 * transaction, or the database itself asked inside one, throws at once: both would wait for ever.
 */
export interface Transactor {
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  onCommit(listener: () => void): void;
}

/** @param health is told of writes that fail */
export function createTransactor(db: Db, health?: WriteHealth): Transactor {
  const listeners: (() => void)[] = [];
  return {
    async transact(work) {
      try {
        const owner = ownerOf.get(db) ?? db;
        const result = await db
          .transaction()
          .execute((tx) => runInTransaction(owner, () => work(tx)));
        for (const listener of listeners) listener();
        return result;
      } catch (error) {
        health?.failed(error);
        throw error;
      }
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
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  readonly #database: SQLite.Database;
  readonly #presence: Presence | undefined;
  readonly #counter: CommitCounter | undefined;
  constructor(database: SQLite.Database, presence?: Presence, counter?: CommitCounter) {
    super({ database });
    this.#database = database;
    this.#presence = presence;
    this.#counter = counter;
  }
  /**
   * Gives out the one connection, to one after another in the order of asking.
   * @throws InsideTransaction, instead of waiting for the connection that the caller itself holds
   */
  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInside(this.#database);
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return super.acquireConnection();
  }
  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    // Handed on while it counts as taken: nobody who comes now gets in between.
    if (next) next();
    else this.#isTaken = false;
  }
  /** SQLite rolls back by itself when the disk is full: rolling back again would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#presence?.isThere() === false) throw new DatabaseGone();
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
    this.#counter?.begin();
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const count = this.#counter?.count();
    await super.commitTransaction(connection);
    if (count) this.#counter?.committed(count);
  }
  override async destroy(): Promise<void> {
    this.#counter?.close();
    await super.destroy();
  }
}

/** Who keeps count of the commits of a database: when they were, and who is told. */
export interface Counting {
  clock: Clock;
  health: WriteHealth;
}

/**
 * Counts the transactions that changed anything, in the transaction itself, and tells the witness
 * beside the database once they are on the disk.
 */
class CommitCounter {
  readonly #database: SQLite.Database;
  readonly #counting: Counting;
  readonly #witness: CommitWitness;
  readonly #changes: SQLite.Statement<[], number>;
  #next: SQLite.Statement<[number], CommitCount> | undefined;
  #before = 0;

  constructor(database: SQLite.Database, dataDir: string, counting: Counting) {
    this.#database = database;
    this.#counting = counting;
    this.#witness = new CommitWitness(dataDir);
    this.#changes = database.prepare<[], number>("select total_changes()").pluck();
  }

  begin(): void {
    this.#before = this.#changes.get() ?? 0;
  }

  /** @returns undefined where nothing was changed, or the database does not count yet */
  count(): CommitCount | undefined {
    if (this.#changes.get() === this.#before) return undefined;
    this.#next ??= this.#prepareNext();
    return this.#next?.get(this.#counting.clock.now());
  }

  committed(count: CommitCount): void {
    this.#witness.note(count);
    this.#counting.health.succeeded();
  }

  close(): void {
    this.#witness.close();
  }

  #prepareNext(): SQLite.Statement<[number], CommitCount> | undefined {
    try {
      return this.#database.prepare<[number], CommitCount>(
        `update commit_count set commits = commits + 1, committed_at = ? where one = 1
          returning commits, transactions, committed_at as committedAt`,
      );
    } catch (error) {
      // A database that is being brought up to date may not have the table yet.
      if (error instanceof SQLite.SqliteError && error.code === "SQLITE_ERROR") return undefined;
      throw error;
    }
  }
}

/** SQLite changes its schema in a transaction like anything else. */
class TransactionalAdapter extends SqliteAdapter {
  /** There is one, and `ImmediateDriver` hands it round: only so can it refuse who holds it already. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: SQLite.Database;
  readonly #presence: Presence | undefined;
  readonly #counter: CommitCounter | undefined;
  constructor(database: SQLite.Database, presence?: Presence, counter?: CommitCounter) {
    super({ database });
    this.#database = database;
    this.#presence = presence;
    this.#counter = counter;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#database, this.#presence, this.#counter);
  }
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, "tillgate.db");
}

/** Whether a file is still the one that was opened. */
export interface Presence {
  isThere(): boolean;
}

/** The database was deleted, moved or replaced under a running gateway: a write would be lost. */
class DatabaseGone extends Error {
  readonly code = "TILLGATE_DATABASE_GONE";
  constructor() {
    super("the database is not where it was opened");
  }
}

/** Remembers which file is the database of a directory, to notice when it is there no more. */
export function watchDatabase(dataDir: string): Presence {
  const file = databaseFile(dataDir);
  const opened = statSync(file, { bigint: true });
  return {
    isThere() {
      try {
        const { ino, dev } = statSync(file, { bigint: true });
        return ino === opened.ino && dev === opened.dev;
      } catch {
        return false;
      }
    },
  };
}

interface OpenOptions {
  /** Is told what is executed, values included. */
  onStatement?: ((sql: string) => void) | undefined;
  /** Without it commits are not counted. */
  counting?: Counting;
}

/**
 * Opens (or creates) the database of a data directory: WAL, every commit on the disk before it is
 * answered, foreign keys enforced.
 * @throws when the file cannot be opened or is not a database.
 */
export function openDatabase(dataDir: string, options: OpenOptions = {}): Db {
  const { onStatement, counting } = options;
  makeDataDir(dataDir);
  if (!databaseExists(dataDir)) createDatabase(dataDir);
  const verbose = onStatement && ((sql?: unknown) => onStatement(String(sql)));
  const sqlite = new SQLite(databaseFile(dataDir), {
    timeout: BUSY_TIMEOUT_MS,
    ...(verbose && { verbose }),
  });
  try {
    // It holds hashes of PINs and keys; the files beside it get the same mode.
    chmodSync(databaseFile(dataDir), 0o600);
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("trusted_schema = OFF");
    addFunctions(sqlite);
    const counter = counting && new CommitCounter(sqlite, dataDir, counting);
    const dialect = new ImmediateDialect(sqlite, watchDatabase(dataDir), counter);
    const db = knownBy(new Kysely<Tables>({ dialect }), sqlite);
    connections.set(db, sqlite);
    return db;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** The connection behind a database, for what is added to it later. */
const connections = new WeakMap<Db, SQLite.Database>();

/**
 * Lets statements of this database write texts encrypted and read them again: `seal_text(text)`,
 * which fails where the key cannot be used, and `open_text(text)`, which is null where it is not the
 * one, and leaves alone what JSON was written in clear.
 */
export function keepSealed(db: Db, sealer: Pick<Sealer, "seal" | "open">): void {
  const sqlite = connections.get(db);
  if (!sqlite) throw new Error("secrets are kept in a database that is in use");
  sqlite.function("seal_text", (text: unknown) => sealer.seal(String(text)));
  sqlite.function("open_text", (text: unknown) => {
    if (typeof text !== "string" || text.startsWith("{")) return text as string | null;
    try {
      return sealer.open(text);
    } catch {
      return null;
    }
  });
}

/** Tells that something was committed, by this process or by another. */
export interface CommitWatch {
  /** The same twice: nothing was committed in between. */
  stamp(): number;
  close(): void;
}

/**
 * Watches an open database over a connection of its own. For that one, every commit is somebody
 * else's, which SQLite counts; and it never waits for a transaction of ours to end.
 */
export function watchCommits(dataDir: string): CommitWatch {
  const sqlite = new SQLite(databaseFile(dataDir), { fileMustExist: true, readonly: true });
  const version = sqlite.prepare<[], number>("pragma data_version").pluck();
  return {
    stamp: () => version.get() ?? 0,
    close: () => sqlite.close(),
  };
}

/**
 * Makes a database without tables, under its name only once it is one: an empty file is then
 * always the remains of another, whatever moment the power went at.
 */
function createDatabase(dataDir: string): void {
  const file = databaseFile(dataDir);
  const fresh = `${file}.${randomUUID()}.new`;
  const sqlite = new SQLite(fresh);
  try {
    chmodSync(fresh, 0o600);
    sqlite.pragma("journal_mode = WAL");
    sqlite.close();
    linkSync(fresh, file);
  } catch (error) {
    sqlite.close();
    // Somebody was faster, or the disk knows no links.
    if (existsSync(file)) return;
    if (!existsSync(fresh)) throw error;
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * Opens a database that is not in use: a backup, or what is about to take the database's place.
 * "write" leaves it a single file.
 * @throws when there is no such file or it is not a database.
 */
export function openDatabaseFile(file: string, mode: "read" | "write"): Db {
  const sqlite = new SQLite(file, { fileMustExist: true, readonly: mode === "read" });
  try {
    sqlite.pragma("trusted_schema = OFF");
    addFunctions(sqlite);
    if (mode === "write") {
      sqlite.pragma("journal_mode = DELETE");
      sqlite.pragma("synchronous = FULL");
      sqlite.pragma("foreign_keys = ON");
    }
    return knownBy(new Kysely<Tables>({ dialect: new ImmediateDialect(sqlite) }), sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A step takes a few milliseconds; requests are answered between two of them. */
const PAGES_AT_ONCE = 256;

/**
 * Copies a database as it is at this moment, while others read and write it. One snapshot is held
 * throughout, so that a write does not make the copy begin anew. Each step is on the disk before the
 * next one begins: otherwise a sale's commit would wait until all of the copy has been written.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const sqlite = new SQLite(source, {
    fileMustExist: true,
    readonly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  const copy = openSync(target, "a", 0o600);
  try {
    sqlite.exec("begin; select count(*) from sqlite_schema");
    await sqlite.backup(target, {
      progress() {
        fdatasyncSync(copy);
        return PAGES_AT_ONCE;
      },
    });
  } finally {
    closeSync(copy);
    sqlite.close();
  }
}

/** Whether there is a database in a data directory. */
export function databaseExists(dataDir: string): boolean {
  return existsSync(databaseFile(dataDir));
}

/** A database in memory, for dumping the schema. */
export function openScratchDatabase(): Db {
  const sqlite = new SQLite(":memory:");
  addFunctions(sqlite);
  return knownBy(new Kysely<Tables>({ dialect: new ImmediateDialect(sqlite) }), sqlite);
}

function knownBy(db: Db, sqlite: SQLite.Database): Db {
  ownerOf.set(db, sqlite);
  return db;
}

function addFunctions(sqlite: SQLite.Database): void {
  sqlite.function("row_checksum", { varargs: true, deterministic: true }, checksumOf);
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
