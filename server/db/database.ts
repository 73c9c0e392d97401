import SQLite from "better-sqlite3";
import { CompiledQuery, Kysely } from "kysely";
import { oncePerTurn } from "../lib/clock.ts";
import type { Sealer } from "../lib/sealer.ts";
import { checksumOf } from "./checksums.ts";
import { getConnections, type SavepointStep, setConnections } from "./connections.ts";
import {
  BUSY_TIMEOUT_MS,
  createDatabase,
  databaseExists,
  databaseFile,
  keepPrivate,
  makeDataDir,
} from "./database-files.ts";
import { setDirect } from "./direct-connection.ts";
import type { Db } from "./handles.ts";
import { CommitCounter, type Counting } from "./sqlite/commit-counter.ts";
import { type ConnectionUse, ImmediateDialect } from "./sqlite/connection.ts";
import { DatabaseGone, watchFile } from "./sqlite/presence.ts";
import { openRequestFile } from "./sqlite/request-file.ts";
import { addSealing } from "./sqlite/sealing.ts";
import type { Tables } from "./tables.ts";

export type { Db, Tx } from "./handles.ts";

/** Runs queries on one consistent snapshot, without blocking a writer. */
export function readSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  const { snapshots, beginSnapshot } = getConnections(db);
  return snapshots.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(beginSnapshot));
    try {
      return await work(connection);
    } finally {
      await connection.executeQuery(CompiledQuery.raw("rollback"));
    }
  });
}

interface OpenOptions {
  /** Receives each executed statement, including its values. */
  onStatement?: ((sql: string) => void) | undefined;
  counting?: Counting;
  /**
   * True for a sandbox: uses little memory, limits the request log, and does not flush each commit.
   * A power cut may lose the last commits, but does not damage the file.
   */
  isLight?: boolean;
}

/**
 * Opens or creates the database of a data directory, with one connection. WAL mode: every commit is
 * flushed before its response. Foreign keys are enforced.
 * @throws if the file cannot be opened, or is not a database
 */
export function openDatabase(dataDir: string, options: OpenOptions = {}): Db {
  makeDataDir(dataDir);
  if (!databaseExists(dataDir)) createDatabase(dataDir);
  const sqlite = openConnection(dataDir, options.onStatement);
  try {
    keepPrivate(databaseFile(dataDir));
    sqlite.pragma("journal_mode = WAL");
    const { counting, isLight = false } = options;
    sqlite.pragma(`synchronous = ${isLight ? "NORMAL" : "FULL"}`);
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("temp_store = MEMORY");
    sqlite.pragma(`cache_size = ${-CACHE_KIB[isLight ? "light" : "usual"].writer}`);
    return openOver(sqlite, {
      isLight,
      presence: watchFile(databaseFile(dataDir)),
      counter: counting && new CommitCounter(sqlite, dataDir, counting),
    });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const SAVEPOINT: Record<SavepointStep, readonly string[]> = {
  set: ["savepoint body"],
  keep: ["release body"],
  undo: ["rollback to body", "release body"],
};

/** Maximum wait of a reader while another process recovers or locks the database. */
const READER_TIMEOUT_MS = 500;

/** Maximum page caches of a connection. */
const CACHE_KIB = {
  usual: { writer: 64 * 1024, reader: 32 * 1024 },
  light: { writer: 8 * 1024, reader: 1024 },
};

/**
 * Opens separate connections for queries and for snapshots, so that readers do not wait for a
 * transaction.
 * @returns the database for queries; closing it closes all connections
 */
export async function openReaders(
  writer: Db,
  dataDir: string,
  { onStatement, isLight = false }: Pick<OpenOptions, "onStatement" | "isLight"> = {},
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
      connection.pragma(`cache_size = ${-CACHE_KIB[isLight ? "light" : "usual"].reader}`);
    }
  } catch (error) {
    for (const connection of opened) connection.close();
    throw error;
  }
  // A wait inside SQLite stops the whole process, so transactions wait outside SQLite
  // (`ImmediateDriver`).
  for (const writing of connections.sqlite) writing.pragma("busy_timeout = 0");
  for (const connection of opened) connection.pragma(`busy_timeout = ${READER_TIMEOUT_MS}`);
  const [reading, snapshotting] = opened as [SQLite.Database, SQLite.Database];
  const snapshots = new Kysely<Tables>({
    dialect: new ImmediateDialect(snapshotting, { owner, sharing: "one at a time" }),
  });
  const dialect = new ImmediateDialect(reading, {
    owner,
    sharing: "shared",
    async afterClose() {
      // Kysely does not close a connection that was never used.
      snapshotting.close();
      await writer.destroy();
    },
  });
  const db = new Kysely<Tables>({ dialect });
  setDirect(db, dialect.direct);
  await db.executeQuery(CompiledQuery.raw("select 1"));
  const sqlite = [...connections.sqlite, ...opened];
  setConnections(db, {
    ...connections,
    snapshots,
    sqlite,
    keepSealed: (sealer) => sealOn(sqlite, sealer),
  });
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
  {
    isLight = false,
    ...use
  }: Pick<ConnectionUse, "presence" | "counter"> & Pick<OpenOptions, "isLight"> = {},
): Db {
  const written = new Set<string>();
  let directWrites = 0;
  const dataVersion = sqlite.prepare<[], number>("pragma data_version").pluck();
  const readVersion = () => dataVersion.get() ?? 0;
  const readVersionOfTurn = oncePerTurn(readVersion);
  /**
   * For the writing connection, a commit on any other connection is a commit of another process,
   * and the written tables are unknown.
   */
  const foreignVersion = (version: number) => {
    const commits = version + directWrites;
    return { commits, reference: commits };
  };
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
  const { direct } = dialect;
  setConnections(db, {
    engine: "sqlite",
    writers: [{ db, written }],
    snapshots: db,
    beginSnapshot: "begin deferred",
    sqlite: [sqlite],
    isLockedWhole: true,
    isPipelined: false,
    prepareTransaction(tx) {
      setDirect(tx, direct);
      return undefined;
    },
    completeTransaction: () => undefined,
    async setSavepoint(_tx, step) {
      for (const statement of SAVEPOINT[step]) await direct.run(statement, []);
    },
    isWriting: () => sqlite.inTransaction,
    owner: sqlite,
    readForeignVersion: () => foreignVersion(readVersion()),
    readForeignVersionOfTurn: () => foreignVersion(readVersionOfTurn()),
    onForeignCommit: () => {},
    shareMemory: undefined,
    // SQLite runs queries synchronously, so no other query is ever running.
    countUnderWay: () => 0,
    async openRequests(dataDir, state) {
      if (use.presence?.isThere() === false) throw new DatabaseGone();
      return openRequestFile(dataDir, { ...state, isLight });
    },
    keepSealed: (sealer) => sealOn([sqlite], sealer),
  });
  return db;
}

/**
 * Opens a database that is not in use: a backup, or a file that will replace the database. "write"
 * leaves a single file. "write beside" uses WAL, so that a reading connection keeps its snapshot.
 * @throws if the file does not exist, or is not a database
 */
export function openDatabaseFile(file: string, mode: "read" | "write" | "write beside"): Db {
  const sqlite = new SQLite(file, { fileMustExist: true, readonly: mode === "read" });
  try {
    sqlite.pragma("trusted_schema = OFF");
    addFunctions(sqlite);
    if (mode !== "read") {
      sqlite.pragma(`journal_mode = ${mode === "write" ? "DELETE" : "WAL"}`);
      sqlite.pragma("synchronous = FULL");
      sqlite.pragma("foreign_keys = ON");
    }
    return openOver(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Opens an in-memory database, from which the schema is dumped. */
export function openScratchDatabase(): Db {
  const sqlite = new SQLite(":memory:");
  addFunctions(sqlite);
  return openOver(sqlite);
}

function sealOn(connections: readonly SQLite.Database[], sealer: Pick<Sealer, "seal" | "open">) {
  for (const connection of connections) addSealing(connection, sealer);
}

function addFunctions(sqlite: SQLite.Database): void {
  sqlite.function("row_checksum", { varargs: true, deterministic: true }, checksumOf);
}
