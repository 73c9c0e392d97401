import SQLite from "better-sqlite3";
import { CompiledQuery, Kysely, type Transaction } from "kysely";
import { oncePerTurn } from "../lib/clock.ts";
import {
  BUSY_TIMEOUT_MS,
  createDatabase,
  databaseExists,
  databaseFile,
  keepPrivate,
  makeDataDir,
} from "./database-files.ts";
import { checksumOf } from "./row-checksum.ts";
import { CommitCounter, type Counting } from "./sqlite/commit-counter.ts";
import { type ConnectionUse, ImmediateDialect } from "./sqlite/connection.ts";
import { type DirectConnection, setDirect } from "./sqlite/direct-connection.ts";
import { watchFile } from "./sqlite/presence.ts";
import type { Tables } from "./tables.ts";

/** An open database, to read from. Reading functions take `Db | Tx`. */
export type Db = Kysely<Tables>;

/** A transaction in the hand: writing functions take a `Tx` and nothing else. */
export type Tx = Transaction<Tables>;

/**
 * The connections of an open database. One of a command has a single connection for everything. In a
 * gateway nobody who reads waits for a transaction: reading has a connection of its own, and
 * snapshots, which last longer than a statement, have another.
 */
interface Connections {
  writer: Db;
  snapshots: Db;
  /** All of them, for what is added to each. */
  sqlite: readonly SQLite.Database[];
  /** The writing connection, for the transaction that holds it. */
  direct: DirectConnection;
  /** Whether the writing connection is inside a transaction. */
  isWriting: () => boolean;
  /** What transactions of this database know each other by. */
  owner: object;
  /** The tables that the transaction at hand, or else the last one, has written to. */
  written: ReadonlySet<string>;
  /** Another number after each commit of another process, or of a statement outside every transaction. */
  readForeignVersion: () => number;
  /** The same, as it was when a request of this turn of the event loop first asked. */
  readForeignVersionOfTurn: () => number;
}

const connectionsOf = new WeakMap<Db, Connections>();
/** @throws for a database that was not opened here */
export function getConnections(db: Db): Connections {
  const connections = connectionsOf.get(db);
  if (!connections) throw new Error("the database was not opened by openDatabase");
  return connections;
}

/** Runs queries that must agree with each other on one snapshot; blocks no writer. */
export function readSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return getConnections(db)
    .snapshots.connection()
    .execute(async (connection) => {
      await connection.executeQuery(CompiledQuery.raw("begin deferred"));
      try {
        return await work(connection);
      } finally {
        await connection.executeQuery(CompiledQuery.raw("rollback"));
      }
    });
}

interface OpenOptions {
  /** Is told what is executed, values included. */
  onStatement?: ((sql: string) => void) | undefined;
  /** Without it commits are not counted. */
  counting?: Counting;
}

/**
 * Opens (or creates) the database of a data directory: WAL, every commit on the disk before it is
 * answered, foreign keys enforced. One connection reads and writes.
 * @throws when the file cannot be opened or is not a database.
 */
export function openDatabase(dataDir: string, options: OpenOptions = {}): Db {
  makeDataDir(dataDir);
  if (!databaseExists(dataDir)) createDatabase(dataDir);
  const sqlite = openConnection(dataDir, options.onStatement);
  try {
    keepPrivate(databaseFile(dataDir));
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("temp_store = MEMORY");
    sqlite.pragma(`cache_size = ${-WRITER_CACHE_KIB}`);
    const { counting } = options;
    return openOver(sqlite, {
      presence: watchFile(databaseFile(dataDir)),
      counter: counting && new CommitCounter(sqlite, dataDir, counting),
    });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const WRITER_CACHE_KIB = 64 * 1024;
const READER_CACHE_KIB = 32 * 1024;

/**
 * Gives an open database connections of their own for reading and for snapshots, so that neither
 * waits for a transaction.
 * @returns the database to read from; closing it closes everything
 */
export async function openReaders(
  writer: Db,
  dataDir: string,
  onStatement?: OpenOptions["onStatement"],
): Promise<Db> {
  const connections = getConnections(writer);
  const { owner } = connections;
  const opened: SQLite.Database[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      const connection = openConnection(dataDir, onStatement);
      opened.push(connection);
      connection.pragma("query_only = ON");
      connection.pragma("temp_store = MEMORY");
      connection.pragma(`cache_size = ${-READER_CACHE_KIB}`);
    }
  } catch (error) {
    for (const connection of opened) connection.close();
    throw error;
  }
  const [reading, snapshotting] = opened as [SQLite.Database, SQLite.Database];
  const snapshots = new Kysely<Tables>({
    dialect: new ImmediateDialect(snapshotting, { owner, sharing: "one at a time" }),
  });
  const dialect = new ImmediateDialect(reading, {
    owner,
    sharing: "shared",
    async afterClose() {
      // Kysely closes only what was asked something.
      snapshotting.close();
      await writer.destroy();
    },
  });
  const db = new Kysely<Tables>({ dialect });
  setDirect(db, dialect.direct);
  await db.executeQuery(CompiledQuery.raw("select 1"));
  const sqlite = [...connections.sqlite, ...opened];
  connectionsOf.set(db, { ...connections, snapshots, sqlite });
  return db;
}

function openConnection(dataDir: string, onStatement: OpenOptions["onStatement"]): SQLite.Database {
  const sqlite = new SQLite(databaseFile(dataDir), {
    timeout: BUSY_TIMEOUT_MS,
    ...(onStatement && { verbose: (statement?: unknown) => onStatement(String(statement)) }),
  });
  try {
    sqlite.pragma("trusted_schema = OFF");
    addFunctions(sqlite);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function openOver(
  sqlite: SQLite.Database,
  use: Pick<ConnectionUse, "presence" | "counter"> = {},
): Db {
  const written = new Set<string>();
  let directWrites = 0;
  const foreignVersion = sqlite.prepare<[], number>("pragma data_version").pluck();
  const readVersion = () => foreignVersion.get() ?? 0;
  const readVersionOfTurn = oncePerTurn(readVersion);
  const dialect = new ImmediateDialect(sqlite, {
    ...use,
    written,
    onDirectWrite() {
      directWrites += 1;
    },
    owner: sqlite,
    sharing: "one at a time",
  });
  const db = new Kysely<Tables>({ dialect });
  connectionsOf.set(db, {
    writer: db,
    snapshots: db,
    sqlite: [sqlite],
    direct: dialect.direct,
    isWriting: () => sqlite.inTransaction,
    owner: sqlite,
    written,
    // For the connection that writes, every other commit is of another process.
    readForeignVersion: () => readVersion() + directWrites,
    readForeignVersionOfTurn: () => readVersionOfTurn() + directWrites,
  });
  return db;
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
    return openOver(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A database in memory, for dumping the schema. */
export function openScratchDatabase(): Db {
  const sqlite = new SQLite(":memory:");
  addFunctions(sqlite);
  return openOver(sqlite);
}

function addFunctions(sqlite: SQLite.Database): void {
  sqlite.function("row_checksum", { varargs: true, deterministic: true }, checksumOf);
}
