import type { Clock } from "../lib/clock.ts";
import type { Sealer } from "../lib/sealer.ts";
import type { Lock } from "./account-lock.ts";
import type { Db, Tx } from "./handles.ts";
import type { SharedMemory } from "./shared-memory.ts";
import type { SqliteDatabase } from "./sqlite/connection.ts";

/** What becomes of the work since the savepoint that a transaction has set. */
export type SavepointStep = "set" | "keep" | "undo";

/** Numbers that are the same twice where nothing was committed in between. */
export interface ForeignVersion {
  commits: number;
  /** Nothing but sales: the same too. */
  reference: number;
}

/** A connection that writes one transaction at a time. */
export interface Writer {
  readonly db: Db;
  /** The tables that the transaction at hand, or else the last one, has written to. */
  readonly written: ReadonlySet<string>;
}

/**
 * The connections of an open database. One of a command has a single connection for everything. In a
 * gateway nobody who reads waits for a transaction: reading has connections of its own, and snapshots,
 * which last longer than a statement, have others.
 */
export interface Connections {
  engine: "sqlite" | "postgres";
  /** Of SQLite one: a transaction has the whole file. Of PostgreSQL several, for different accounts at once. */
  writers: readonly [Writer, ...Writer[]];
  snapshots: Db;
  /** Begins a transaction that sees one state of the database for as long as it lasts. */
  beginSnapshot: string;
  /** All of SQLite's, for what is added to each; none where the engine is another. */
  sqlite: readonly SqliteDatabase[];
  /** Whether a transaction has the whole database for itself, whatever it locks. */
  isLockedWhole: boolean;
  /**
   * Takes the lock of a transaction. To be waited for at its beginning, before anything is asked in it;
   * undefined where that can be done at once.
   */
  prepareTransaction(tx: Tx, lock: Lock): Promise<void> | undefined;
  /** To be waited for at its end, when all its work is done; undefined where nothing is left to do. */
  completeTransaction(tx: Tx, lock: Lock, written: ReadonlySet<string>): Promise<void> | undefined;
  /** Lets a part of a transaction fail alone. */
  setSavepoint(tx: Tx, step: SavepointStep): Promise<void>;
  /** Whether a transaction goes on after one of its statements failed; asked within it. */
  isWriting(): boolean;
  /** What transactions of this database know each other by. */
  owner: object;
  /** What others have committed: another process, or a statement outside every transaction. */
  readForeignVersion(): ForeignVersion;
  /** The same, as it was when a request of this turn of the event loop first asked. */
  readForeignVersionOfTurn(): ForeignVersion;
  /** Calls back when another process has committed, or may have; never where nobody tells of it. */
  onForeignCommit(listener: () => void): void;
  /** What all processes on the database remember together; undefined where there is one. */
  shareMemory: ((clock: Clock) => SharedMemory) | undefined;
  /** How many who asked for a connection have it or wait for it. */
  countUnderWay(): number;
  /** Encrypts and opens texts with this sealer (`sealed-text.ts`). */
  keepSealed(sealer: Pick<Sealer, "seal" | "open">): void;
}

const connectionsOf = new WeakMap<Db, Connections>();

/** @throws for a database that was not opened by one of our engines */
export function getConnections(db: Db): Connections {
  const connections = connectionsOf.get(db);
  if (!connections) throw new Error("the database was not opened by openDatabase");
  return connections;
}

export function setConnections(db: Db, connections: Connections): void {
  connectionsOf.set(db, connections);
}
