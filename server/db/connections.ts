import type { Clock } from "../lib/clock.ts";
import type { Sealer } from "../lib/sealer.ts";
import type { Lock } from "./account-lock.ts";
import type { Db, Tx } from "./handles.ts";
import type { SharedMemory } from "./shared-memory.ts";
import type { SqliteDatabase } from "./sqlite/connection.ts";

/** Sets a savepoint, or keeps or discards the work since it. */
export type SavepointStep = "set" | "keep" | "undo";

/** Numbers that are unchanged if nothing was committed in between. */
export interface ForeignVersion {
  commits: number;
  /** Unchanged also after commits of sales only. */
  reference: number;
}

/** A connection that writes one transaction at a time. */
export interface Writer {
  readonly db: Db;
  /** The tables that the current transaction, or else the last one, has written to. */
  readonly written: ReadonlySet<string>;
}

/**
 * The connections of an open database. A command has a single connection for everything. In a gateway
 * no reader waits for a transaction: reads have connections of their own, and snapshots, which last
 * longer than a statement, have others.
 */
export interface Connections {
  engine: "sqlite" | "postgres";
  /**
   * One for SQLite: a transaction locks the whole file. Several for PostgreSQL, for different accounts at once.
   */
  writers: readonly [Writer, ...Writer[]];
  snapshots: Db;
  /** Starts a transaction that sees one state of the database until its end. */
  beginSnapshot: string;
  /** All SQLite connections, for functions that are added to each; empty for another engine. */
  sqlite: readonly SqliteDatabase[];
  /** Whether a transaction locks the whole database, whatever its own lock. */
  isLockedWhole: boolean;
  /**
   * Takes the lock of a transaction. To be awaited at its start, before any query; undefined if the
   * lock is taken at once.
   */
  prepareTransaction(tx: Tx, lock: Lock): Promise<void> | undefined;
  /** To be awaited at its end, when all its work is done; undefined if there is nothing left to do. */
  completeTransaction(tx: Tx, lock: Lock, written: ReadonlySet<string>): Promise<void> | undefined;
  /** Allows a part of a transaction to fail alone. */
  setSavepoint(tx: Tx, step: SavepointStep): Promise<void>;
  /**
   * Returns whether a transaction can continue after one of its statements failed; called within
   * it.
   */
  isWriting(): boolean;
  /** Identifies the transactions of this database to each other. */
  owner: object;
  /** The version of commits by other processes and by statements outside every transaction. */
  readForeignVersion(): ForeignVersion;
  /** The same, as of the first request in this turn of the event loop. */
  readForeignVersionOfTurn(): ForeignVersion;
  /**
   * Calls back when another process has committed, or may have; never if there are no
   * notifications.
   */
  onForeignCommit(listener: () => void): void;
  /**
   * Opens the memory that all processes on the database share; undefined where there is one
   * process.
   */
  shareMemory: ((clock: Clock) => SharedMemory) | undefined;
  /** Returns the number of users of connections, including those that wait for one. */
  countUnderWay(): number;
  /** Sets the sealer that encrypts and decrypts texts (`sealed-text.ts`). */
  keepSealed(sealer: Pick<Sealer, "seal" | "open">): void;
}

const connectionsOf = new WeakMap<Db, Connections>();

/** @throws for a database that Tillgate's engines did not open */
export function getConnections(db: Db): Connections {
  const connections = connectionsOf.get(db);
  if (!connections) throw new Error("the database was not opened by openDatabase");
  return connections;
}

export function setConnections(db: Db, connections: Connections): void {
  connectionsOf.set(db, connections);
}
