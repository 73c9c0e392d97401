import type { Clock } from "../lib/clock.ts";
import type { Sealer } from "../lib/sealer.ts";
import type { Lock } from "./account-lock.ts";
import type { Db, Tx } from "./handles.ts";
import type { SharedMemory } from "./shared-memory.ts";
import type { SqliteDatabase } from "./sqlite/connection.ts";

/**
 * Receives each executed statement.
 * @param isFirst whether the statement starts a packet to a database server: a round trip
 */
export type OnStatement = (statement: string, isFirst?: boolean) => void;

/** "set" creates a savepoint; "keep" keeps the changes made after it, "undo" discards them. */
export type SavepointStep = "set" | "keep" | "undo";

/** Versions of a database. A version is unchanged as long as no other process commits. */
export interface ForeignVersion {
  commits: number;
  /** Commits that change only sales do not change this version. */
  reference: number;
}

export interface Writer {
  readonly db: Db;
  /** Tables written by the current transaction; between transactions, by the previous one. */
  readonly written: ReadonlySet<string>;
}

/**
 * Connections of an open database. A command uses a single connection. In a gateway, queries and
 * snapshots have their own connections, so that no reader waits for a transaction.
 */
export interface Connections {
  engine: "sqlite" | "postgres";
  /**
   * One for SQLite, where a transaction locks the whole file. Several for PostgreSQL, where
   * different accounts can write at the same time.
   */
  writers: readonly [Writer, ...Writer[]];
  snapshots: Db;
  beginSnapshot: string;
  /** All SQLite connections, for adding functions to each; empty for PostgreSQL. */
  sqlite: readonly SqliteDatabase[];
  /** True if every transaction locks the whole database, whichever lock it requests. */
  isLockedWhole: boolean;
  /** Whether transactions may send writes before earlier ones are answered. */
  isPipelined: boolean;
  /**
   * Takes the lock of a transaction; undefined if the lock is already taken. Must be awaited before
   * the transaction's first query.
   * @param readAhead starts queries that are sent with the lock and run after it; never called if
   * queries need no round trip
   */
  prepareTransaction(tx: Tx, lock: Lock, readAhead?: () => void): Promise<void> | undefined;
  /**
   * Must be awaited at the end of a transaction, after all its work; undefined if there is nothing
   * to do.
   */
  completeTransaction(tx: Tx, lock: Lock, written: ReadonlySet<string>): Promise<void> | undefined;
  /** Performs a savepoint step, so that a part of a transaction can fail without the rest. */
  setSavepoint(tx: Tx, step: SavepointStep): Promise<void>;
  /**
   * Returns whether a transaction can continue after a failed statement. Must be
   * called within the transaction.
   */
  isWriting(): boolean;
  /** Identifies the database to which a transaction belongs. */
  owner: object;
  /**
   * Returns the version. Commits of other processes and statements outside transactions change it.
   */
  readForeignVersion(): ForeignVersion;
  /** Returns the version as of the first call in this turn of the event loop. */
  readForeignVersionOfTurn(): ForeignVersion;
  /**
   * Calls the listener when another process has committed, or may have committed. Never calls it if
   * the engine sends no notifications.
   */
  onForeignCommit(listener: () => void): void;
  /**
   * Opens the memory that all processes on the database share; undefined if
   * there is only one process.
   */
  shareMemory: ((clock: Clock) => SharedMemory) | undefined;
  /** Returns the number of users of connections, including those that wait for a connection. */
  countUnderWay(): number;
  /**
   * Opens the database of the request log, on connections of its own. Its statements belong to no
   * transaction, and no cached value depends on them. On SQLite, a damaged file is replaced.
   */
  openRequests(dataDir: string, state?: { isDamaged: boolean }): Promise<Db>;
  keepSealed(sealer: Pick<Sealer, "seal" | "open">): void;
}

const connectionsOf = new WeakMap<Db, Connections>();

/** @throws for a database that Tillgate did not open */
export function getConnections(db: Db): Connections {
  const connections = connectionsOf.get(db);
  if (!connections) throw new Error("the database was not opened by openDatabase");
  return connections;
}

export function setConnections(db: Db, connections: Connections): void {
  connectionsOf.set(db, connections);
}
