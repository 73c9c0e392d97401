import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from "pg";
import Cursor from "pg-cursor";
import type { Sealer } from "../../lib/sealer.ts";
import type { OnStatement } from "../connections.ts";
import type { DirectConnection } from "../direct-connection.ts";
import { refuseEnded, refuseInside } from "../transaction-scope.ts";
import { findWrittenTable } from "../written-table.ts";
import { throwWithState } from "./lost-connection.ts";
import { backendOf, takeConnection } from "./pool.ts";
import { PostgresWordsCompiler } from "./query-compiler.ts";
import { openRows, sealValues } from "./sealed-values.ts";
import type { SilenceWatch } from "./silence-watch.ts";
import type { StatementNames } from "./statement-names.ts";

export interface SharedUse {
  readonly owner: object;
  /** Encrypts and decrypts texts; undefined until the key is known. */
  sealer: Pick<Sealer, "seal" | "open"> | undefined;
  underWay: number;
  readonly onStatement?: OnStatement | undefined;
  readonly names: StatementNames;
  readonly silence: SilenceWatch;
}

export interface WritingUse {
  /** Whether statements are sent before earlier ones are answered (docs/decisions/0098). */
  readonly isPipelined: boolean;
  readonly written: Set<string>;
  /** Called when a statement outside every transaction has written and committed. */
  onDirectWrite(): void;
  onCommit(): void;
}

const BEGIN = "begin isolation level read committed";
const COMMIT = "commit";
/** SQLSTATE code of a statement in a transaction in which an earlier statement failed. */
const ABORTED = "25P02";

const WRITES = /^\s*(?:insert|update|delete|with)\b/i;

export class PostgresEngineConnection implements DatabaseConnection, DirectConnection {
  readonly engine = "postgres";
  isInTransaction = false;
  readonly #client: PoolClient;
  readonly #shared: SharedUse;
  readonly #writing: WritingUse | undefined;
  /** Answer to the statements that were sent without waiting. */
  #unanswered: Promise<unknown> | undefined;
  #isCorked = false;
  #lastFault: DatabaseError | undefined;

  constructor(client: PoolClient, shared: SharedUse, writing: WritingUse | undefined) {
    this.#client = client;
    this.#shared = shared;
    this.#writing = writing;
  }

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(sql, parameters);
  }

  async run<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    this.#begin(sql);
    const { sealer, names } = this.#shared;
    const values = sealValues(parameters, sealer);
    const query = { text: sql, values, ...names.for(sql, values) };
    const { rows, rowCount } = await this.#ask<Row & object>(query);
    openRows(sql, rows, sealer);
    if (!WRITES.test(sql)) return { rows };
    const affected = rowCount ?? 0;
    const table = affected > 0 ? findWrittenTable(sql) : undefined;
    if (table !== undefined) {
      this.#writing?.written.add(table);
      if (!this.isInTransaction) this.#writing?.onDirectWrite();
    }
    return { rows, numAffectedRows: BigInt(affected) };
  }

  get isPipelined(): boolean {
    return this.#writing?.isPipelined ?? false;
  }

  /** Sends a statement, as `confirmLater` describes. */
  send(statement: string): Promise<void> {
    return this.confirmLater(this.run(statement, []));
  }

  /**
   * Lets the next statement, such as the commit, throw the error of a statement that was sent. A
   * connection without a pipeline waits for the answer instead.
   */
  async confirmLater(answer: Promise<unknown>): Promise<void> {
    if (!this.isPipelined) {
      await answer;
      return;
    }
    answer.catch(() => {});
    this.#unanswered = answer;
  }

  /** @throws if the server rolled the transaction back, because one of its statements failed */
  async commit(): Promise<void> {
    this.#begin(COMMIT);
    const { command } = await this.#ask({ text: COMMIT });
    if (command !== "COMMIT") throw new Error("the server has rolled a transaction back");
  }

  async *streamQuery<Row>(
    { sql, parameters }: CompiledQuery,
    chunkSize = 1,
  ): AsyncIterableIterator<QueryResult<Row>> {
    this.#begin(sql);
    const { sealer } = this.#shared;
    const cursor = this.#client.query(
      new Cursor<Row & object>(sql, sealValues(parameters, sealer)),
    );
    // Closing a cursor on a lost connection never finishes, so the wait also ends with the
    // connection.
    const ended = Promise.withResolvers<void>();
    this.#client.once("end", ended.resolve);
    try {
      for (;;) {
        const rows = await this.#watched(() => cursor.read(chunkSize));
        if (rows.length === 0) return;
        openRows(sql, rows, sealer);
        yield { rows };
      }
    } finally {
      await this.#watched(() => Promise.race([cursor.close(), ended.promise]));
      this.#client.off("end", ended.resolve);
    }
  }

  /** Returns the connection to the pool. A connection in an unknown state is closed. */
  release(isLost: boolean): void {
    this.#client.release(isLost);
  }

  async #ask<Row extends object>(query: QueryConfig) {
    const unanswered = this.#unanswered;
    this.#unanswered = undefined;
    this.#sendTogether();
    const answer = this.#watched(() => this.#client.query<Row>(query));
    if (unanswered) {
      answer.catch(() => {});
      await unanswered;
    }
    return answer;
  }

  /** Sends all statements of this turn in one packet. */
  #sendTogether(): void {
    if (!this.isPipelined || this.#isCorked) return;
    const { stream } = this.#client.connection;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Runs a query, and stops waiting when a response can no longer arrive. */
  #watched<T>(ask: () => Promise<T>): Promise<T> {
    const client = this.#client;
    const answer = this.#shared.silence.during(client, backendOf(client), ask);
    return answer.catch(throwWithState).catch((error: unknown) => this.#throwCause(error));
  }

  /**
   * Throws the error. A statement that the server refuses because an earlier one failed throws the
   * error of the earlier one, which may have been sent without waiting for its answer.
   */
  #throwCause(error: unknown): never {
    if (!(error instanceof DatabaseError)) throw error;
    if (error.code === ABORTED && this.#lastFault) throw this.#lastFault;
    this.#lastFault = error;
    throw error;
  }

  #begin(statement: string): void {
    if (this.#writing) refuseEnded(this.#shared.owner);
    this.#shared.onStatement?.(statement, !this.#isCorked);
  }
}

class PostgresEngineDriver implements Driver {
  readonly #pool: Pool;
  readonly #shared: SharedUse;
  readonly #writing: WritingUse | undefined;
  readonly #afterClose: (() => Promise<void>) | undefined;

  constructor(pool: Pool, { shared, writing, afterClose }: DialectUse) {
    this.#pool = pool;
    this.#shared = shared;
    this.#writing = writing;
    this.#afterClose = afterClose;
  }

  async init(): Promise<void> {}

  /** @throws InsideTransaction if the caller is inside a transaction of the same database */
  async acquireConnection(): Promise<DatabaseConnection> {
    refuseInside(this.#shared.owner);
    this.#shared.underWay += 1;
    try {
      const client = await takeConnection(this.#pool, this.#shared.silence).catch(throwWithState);
      return new PostgresEngineConnection(client, this.#shared, this.#writing);
    } catch (error) {
      this.#shared.underWay -= 1;
      throw error;
    }
  }

  async beginTransaction(connection: PostgresEngineConnection): Promise<void> {
    await connection.send(BEGIN);
    connection.isInTransaction = true;
    this.#writing?.written.clear();
  }

  async commitTransaction(connection: PostgresEngineConnection): Promise<void> {
    await connection.commit();
    connection.isInTransaction = false;
    this.#writing?.onCommit();
  }

  /** Rolls back, and ignores errors: they would hide the error that caused the rollback. */
  async rollbackTransaction(connection: PostgresEngineConnection): Promise<void> {
    try {
      await connection.run("rollback", []);
      connection.isInTransaction = false;
    } catch {
      // The connection stays marked as inside a transaction, so it is closed instead of reused.
    }
  }

  async releaseConnection(connection: PostgresEngineConnection): Promise<void> {
    this.#shared.underWay -= 1;
    connection.release(connection.isInTransaction);
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
    await this.#afterClose?.();
  }
}

export interface DialectUse {
  shared: SharedUse;
  writing?: WritingUse | undefined;
  afterClose?: (() => Promise<void>) | undefined;
}

export class PostgresEngineDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #use: DialectUse;

  constructor(pool: Pool, use: DialectUse) {
    super({ pool });
    this.#pool = pool;
    this.#use = use;
  }

  override createDriver(): Driver {
    return new PostgresEngineDriver(this.#pool, this.#use);
  }

  override createQueryCompiler(): QueryCompiler {
    return new PostgresWordsCompiler();
  }
}
