import type SQLite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import { systemClock } from "../../lib/clock.ts";
import type { DirectConnection } from "../direct-connection.ts";
import { refuseEnded, refuseInside } from "../transaction-scope.ts";
import { findWrittenTable } from "../written-table.ts";
import type { CommitCounter } from "./commit-counter.ts";
import { DatabaseGone, type Presence } from "./presence.ts";
import { PlannedOnceCompiler } from "./query-compiler.ts";

/**
 * Maximum number of prepared statements per connection. Statements that were unused for the longest
 * time are removed.
 */
const STATEMENTS_KEPT = 1_000;

const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;
const CONTROLS = /^\s*(begin|commit|rollback|savepoint|release|pragma|vacuum)\b/i;

/** Caches prepared statements: for most statements, preparing takes longer than running. */
class StatementCache {
  readonly #database: SQLite.Database;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: SQLite.Database) {
    this.#database = database;
  }

  get(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) {
      known.isUsed = true;
      return known;
    }
    const statement = this.#database.prepare(sql);
    const isControl = CONTROLS.test(sql);
    const isWriting = !statement.readonly && !isControl;
    const writesTo = isWriting ? (findWrittenTable(sql) ?? "?") : undefined;
    const changesSchema = CHANGES_SCHEMA.test(sql);
    const isReader = statement.reader;
    const prepared = { statement, isReader, isControl, writesTo, changesSchema, isUsed: true };
    if (this.#statements.size >= STATEMENTS_KEPT) this.#makeRoom();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /**
   * Removes the oldest statement that was not used after its last check. Used
   * statements move to the end.
   */
  #makeRoom(): void {
    for (const [sql, prepared] of this.#statements) {
      this.#statements.delete(sql);
      if (!prepared.isUsed) return;
      prepared.isUsed = false;
      this.#statements.set(sql, prepared);
    }
  }

  /** Clears the cache after a schema change, because `select *` may return other columns. */
  clear(): void {
    this.#statements.clear();
  }
}

export type SqliteDatabase = SQLite.Database;

class CachedConnection implements DatabaseConnection, DirectConnection {
  readonly engine = "sqlite";
  readonly #database: SQLite.Database;
  readonly #statements: StatementCache;
  /** Database whose transactions use this connection; undefined for a read-only connection. */
  readonly #owner: object | undefined;
  /** Database whose transactions must not use this connection, because they have another one. */
  readonly #apartFrom: object | undefined;
  readonly #written: Set<string> | undefined;
  readonly #onDirectWrite: (() => void) | undefined;
  /** Whether a transaction is known to run: each query of SQLite's own state takes a while. */
  #isInTransaction = false;

  constructor(
    database: SQLite.Database,
    { owner, sharing, written, onDirectWrite }: ConnectionUse,
  ) {
    this.#database = database;
    this.#statements = new StatementCache(database);
    this.#owner = sharing === "shared" ? undefined : owner;
    this.#apartFrom = sharing === "shared" ? owner : undefined;
    this.#written = written;
    this.#onDirectWrite = onDirectWrite;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(sql, parameters);
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    if (this.#owner) refuseEnded(this.#owner);
    if (this.#apartFrom) refuseInside(this.#apartFrom);
    const { statement, isReader, isControl, writesTo, changesSchema } = this.#statements.get(sql);
    if (changesSchema) this.#statements.clear();
    if (isControl) this.#isInTransaction = false;
    if (isReader) {
      const rows = statement.all(...parameters) as Row[];
      if (writesTo && rows.length > 0) this.#written?.add(writesTo);
      return { rows };
    }
    const { changes } = this.#execute(statement, parameters);
    if (writesTo && changes > 0) {
      this.#written?.add(writesTo);
      this.#isInTransaction ||= this.#database.inTransaction;
      if (!this.#isInTransaction) this.#onDirectWrite?.();
    }
    return {
      numAffectedRows: BigInt(changes),
      rows: [],
    };
  }

  #execute(statement: SQLite.Statement, parameters: readonly unknown[]): SQLite.RunResult {
    try {
      return statement.run(...parameters);
    } catch (error) {
      // Some errors, such as a full disk, end the transaction.
      this.#isInTransaction = false;
      throw error;
    }
  }

  async *streamQuery<Row>(
    { sql, parameters }: CompiledQuery,
    chunkSize = 1,
  ): AsyncIterableIterator<QueryResult<Row>> {
    // Prepares a separate statement, because nothing else can use a statement while it is read.
    const statement = this.#database.prepare(sql);
    let rows: Row[] = [];
    for (const row of statement.iterate(...parameters)) {
      rows.push(row as Row);
      if (rows.length < chunkSize) continue;
      yield { rows };
      rows = [];
    }
    if (rows.length > 0) yield { rows };
  }
}

export interface ConnectionUse {
  owner: object;
  /**
   * "shared": statements run separately, as they arrive. "one at a time": one caller after another
   * uses the connection, in request order, for transactions and snapshots.
   */
  sharing: "shared" | "one at a time";
  /**
   * Receives the names of the tables to which a transaction writes; emptied
   * when a transaction starts.
   */
  written?: Set<string>;
  /** Called when a statement outside every transaction has written and committed. */
  onDirectWrite?: () => void;
  presence?: Presence | undefined;
  counter?: CommitCounter | undefined;
  afterClose?: () => Promise<void>;
}

/** Maximum time that a transaction waits for the transaction of another process. */
const LOCK_TIMEOUT_MS = 3_000;
const RETRY_INTERVAL_MS = 20;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/**
 * Takes the write lock at the start of every transaction, because each one writes
 * (docs/decisions/0042). A deferred transaction would fail in the middle if the command line wrote
 * after the transaction's first read.
 */
class ImmediateDriver extends SqliteDriver {
  #isTaken = false;
  /** True if another process prevented the start of the last transaction. */
  #isLockHeld = false;
  readonly #waiting: (() => void)[] = [];
  readonly #database: SQLite.Database;
  readonly #connection: CachedConnection;
  readonly #use: ConnectionUse;

  constructor(database: SQLite.Database, connection: CachedConnection, use: ConnectionUse) {
    super({ database });
    this.#database = database;
    this.#connection = connection;
    this.#use = use;
  }

  /** @throws InsideTransaction if the caller is inside a transaction of the same database */
  override async acquireConnection(): Promise<DatabaseConnection> {
    refuseInside(this.#use.owner);
    if (this.#use.sharing === "shared") return this.#connection;
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    // The connection still counts as used while it is passed on, so that no new request takes it.
    if (next) next();
    else this.#isTaken = false;
  }

  /**
   * Rolls back, unless SQLite has already rolled back, for example because the disk is full. A
   * second rollback would hide that reason.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#use.presence?.isThere() === false) throw new DatabaseGone();
    await this.#takeWriteLock(connection);
    this.#use.written?.clear();
  }

  /**
   * Waits for the write lock while another process writes, without blocking reads. If the other
   * process holds the lock longer than any command does, this write fails with that reason, and
   * further writes fail at once (rules#fault-lock-held).
   */
  async #takeWriteLock(connection: DatabaseConnection): Promise<void> {
    const timeout_ms = this.#isLockHeld ? RETRY_INTERVAL_MS : LOCK_TIMEOUT_MS;
    const end = systemClock.running() + timeout_ms;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw("begin immediate"));
        this.#isLockHeld = false;
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (systemClock.running() >= end) {
          this.#isLockHeld = true;
          throw error;
        }
      }
      await new Promise<void>((resolve) => {
        systemClock.wakeAt(systemClock.now() + RETRY_INTERVAL_MS, resolve);
      });
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { written, counter } = this.#use;
    const hasWritten = written !== undefined && written.size > 0;
    const count = hasWritten ? counter?.count(written) : undefined;
    await super.commitTransaction(connection);
    if (hasWritten) counter?.committed(count);
  }

  override async destroy(): Promise<void> {
    this.#use.counter?.close();
    await super.destroy();
    await this.#use.afterClose?.();
  }
}

/** Tells Kysely that SQLite can change its schema in a transaction. */
class TransactionalAdapter extends SqliteAdapter {
  /**
   * True although there is one connection: `ImmediateDriver` queues callers, and must be able to
   * refuse a caller that already holds the connection.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class ImmediateDialect extends SqliteDialect {
  readonly #database: SQLite.Database;
  readonly #connection: CachedConnection;
  readonly #use: ConnectionUse;
  constructor(database: SQLite.Database, use: ConnectionUse) {
    super({ database });
    this.#database = database;
    this.#connection = new CachedConnection(database, use);
    this.#use = use;
  }
  /**
   * Runs statements at once, for the transaction that holds the connection, or for any caller of a
   * shared connection.
   */
  get direct(): DirectConnection {
    return this.#connection;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#database, this.#connection, this.#use);
  }
  override createQueryCompiler(): QueryCompiler {
    return new PlannedOnceCompiler();
  }
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

interface Prepared {
  readonly statement: SQLite.Statement;
  readonly isReader: boolean;
  /** Whether the statement may start or end a transaction. */
  readonly isControl: boolean;
  readonly writesTo: string | undefined;
  readonly changesSchema: boolean;
  /** True if the statement was used after the last search for a removable statement. */
  isUsed: boolean;
}
