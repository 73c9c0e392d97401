import {
  CompiledQuery,
  HandleEmptyInListsPlugin,
  Kysely,
  replaceWithNoncontingentExpression,
  sql,
} from "kysely";
import type { ClientBase } from "pg";
import { oncePerTurn, SECOND, systemClock } from "../../lib/clock.ts";
import { CLAIMS, EVERY_ACCOUNT, type Lock, NO_ACCOUNT } from "../account-lock.ts";
import { compileOnce } from "../compiled-query.ts";
import {
  type Connections,
  type ForeignVersion,
  type OnStatement,
  type SavepointStep,
  setConnections,
  type Writer,
} from "../connections.ts";
import type { Db, Tx } from "../database.ts";
import { findDirect, setDirect } from "../direct-connection.ts";
import type { Tables } from "../tables.ts";
import { type CommitNotices, openCommitNotices } from "./commit-notices.ts";
import {
  type DialectUse,
  PostgresEngineConnection,
  PostgresEngineDialect,
  type SharedUse,
  type WritingUse,
} from "./dialect.ts";
import { GATEWAY_LOCK, refuseExported, refuseSecond } from "./exports-begun.ts";
import type { HistoryWatch } from "./history-watch.ts";
import { MemoryRows } from "./memory-rows.ts";
import { askAtFirst, openPool } from "./pool.ts";
import { requireWritable } from "./server-mode.ts";
import { type FindBusy, LOOK_INTERVAL_MS, SilenceWatch } from "./silence-watch.ts";
import { StatementNames } from "./statement-names.ts";

interface OpenOptions {
  /** Receives the statements without their values. */
  onStatement?: OnStatement | undefined;
  onCommit?: (() => void) | undefined;
  /** Compares the database with this process's records; only for gateways. */
  history?: HistoryWatch | undefined;
  readers?: number;
  /**
   * Kind of process. Gateways and commands may run beside other gateways. A process that moves a
   * shop needs the database to itself. Undefined for a process that only reads.
   */
  presence?: Presence | undefined;
  /** Interval of the checks for responses that will never arrive. */
  lookInterval_ms?: number;
  /** Time after which an idle connection for reading is closed. */
  idle_ms?: number;
}

export type Presence = "gateway" | "command" | "alone";

/**
 * Thrown if another process has the database to itself, or if a process that needs the database to
 * itself finds another process.
 */
export class DatabaseTaken extends Error {
  readonly code = "TILLGATE_DATABASE_TAKEN";
  constructor() {
    super("another Tillgate has the database");
  }
}

const READERS = 8;
/**
 * Number of parallel transactions of a gateway, one of them for claims. Any other process has a
 * single transaction at a time.
 */
const WRITERS = 5;
/**
 * Maximum time between statements in a transaction. The server then ends the connection, because
 * the process has probably stopped, and other processes wait for its account.
 */
const STANDSTILL_MS = 30 * SECOND;
/** Maximum number of connections for the shared memory; opened on demand. */
const REMEMBERERS = 2;

/** Number of connections for the request log. */
const REQUEST_WRITERS = 1;

/** Advisory lock of transactions that belong to no account. */
const MACHINE_LOCK = 0x7111;

const SAVEPOINT: Record<SavepointStep, readonly string[]> = {
  set: ["savepoint"],
  keep: ["release savepoint"],
  undo: ["rollback to savepoint", "release savepoint"],
};
/** Number of savepoints of each open transaction. */
const savepoints = new WeakMap<Tx, number>();

/**
 * Opens a database on a PostgreSQL server. A gateway writes on several connections, every other
 * process on one. Reads and snapshots use separate connections.
 * @param address such as `postgres://user:password@host:port/database`
 * @returns the database for reading; closing it closes all connections
 * @throws DatabaseTaken; and an error if the server cannot be reached or refuses access
 */
export async function openPostgresDatabase(
  address: string,
  { onStatement, onCommit, history, readers = READERS, presence, ...intervals }: OpenOptions = {},
): Promise<Db> {
  const keepPlace = presence && keepingPlace(presence);
  const notices = await openCommitNotices(address, {
    onConnect: presence && listening(presence, keepPlace),
    onFlushed: (flushed) => history?.heard(flushed),
  });
  const shared = share(notices, { onStatement, ...intervals });
  let directWrites = 0;
  const [first, ...more] = openWriters(address, presence, {
    shared,
    history,
    keepPlace,
    onCommit,
    onDirectWrite: () => (directWrites += 1),
  });
  const reading = openPool(address, readers, { idle_ms: intervals.idle_ms });
  const remembering = openPool(address, REMEMBERERS);
  const destroyWriters = () => Promise.all([first, ...more].map(({ db: each }) => each.destroy()));
  const afterClose = async () => {
    await destroyWriters();
    await remembering.end();
    await notices.close();
    history?.close();
    shared.silence.stop();
  };
  const db = open(reading, { shared, afterClose });
  const readVersion = () => raise(notices.version(), directWrites);
  setConnections(db, {
    engine: "postgres",
    writers: [first, ...more],
    snapshots: db,
    beginSnapshot: "begin isolation level repeatable read read only",
    sqlite: [],
    isLockedWhole: false,
    isPipelined: canPipeline(presence),
    prepareTransaction: takeLock,
    completeTransaction: completing(notices, [first, ...more], history),
    setSavepoint,
    isWriting: () => true,
    owner: shared.owner,
    readForeignVersion: readVersion,
    readForeignVersionOfTurn: oncePerTurn(readVersion),
    onForeignCommit: (listener) => notices.onForeign(listener),
    shareMemory: (clock) =>
      new MemoryRows({
        pool: remembering,
        clock,
        shared,
        self: notices.self,
        onNotice: (listener) => notices.onMemory(listener),
      }),
    countUnderWay: () => shared.underWay,
    openRequests: async () =>
      open(openPool(address, REQUEST_WRITERS), { shared: { ...shared, onStatement: undefined } }),
    keepSealed(sealer) {
      shared.sealer = sealer;
    },
  });
  try {
    // Uses each connection once, because Kysely does not close a connection that was never used.
    const all = [first, ...more, { db }];
    for (const each of all) await each.db.executeQuery(CompiledQuery.raw("select 1"));
    return db;
  } catch (error) {
    await Promise.allSettled([destroyWriters(), db.destroy(), remembering.end(), notices.close()]);
    throw error;
  }
}

function raise({ commits, reference }: ForeignVersion, by: number): ForeignVersion {
  return { commits: commits + by, reference: reference + by };
}

/** An import reads through cursors in its transaction, which a pipeline excludes. */
function canPipeline(presence: Presence | undefined): boolean {
  return presence === "gateway";
}

/**
 * Takes the lock in a separate statement, so that later statements see every earlier commit.
 * Several locks are always taken in the same order, which prevents deadlocks.
 * @throws if the account does not exist
 */
async function takeLock(tx: Tx, lock: Lock, readAhead?: () => void): Promise<void> {
  const connection = await sendDirectly(tx);
  if (lock === CLAIMS) {
    return connection.send("set local synchronous_commit = off");
  }
  const accounts = tx.selectFrom("accounts").select("account_id").forNoKeyUpdate();
  if (lock === NO_ACCOUNT || lock === EVERY_ACCOUNT) {
    await sql`select pg_advisory_xact_lock(${sql.lit(MACHINE_LOCK)})`.execute(tx);
    if (lock === EVERY_ACCOUNT) await accounts.orderBy("account_id").execute();
    return;
  }
  const locked = lockAccount(tx, { accountId: lock });
  if (connection.isPipelined) readAhead?.();
  const { rows } = await locked;
  if (rows.length === 0) throw new Error(`there is no account ${lock} to lock`);
}

const lockAccount = compileOnce<{ accountId: string }, object>((db, param) =>
  db
    .selectFrom("accounts")
    .select("account_id")
    .where("account_id", "=", param("accountId"))
    .forNoKeyUpdate(),
);

/** Lets the compiled queries of a transaction be sent at once, before earlier ones are answered. */
async function sendDirectly(tx: Tx): Promise<PostgresEngineConnection> {
  const executor = tx.getExecutor();
  const connection = await executor.provideConnection(async (one) => requireOwn(one));
  setDirect(tx, connection);
  return connection;
}

function requireOwn(connection: object | undefined): PostgresEngineConnection {
  if (connection instanceof PostgresEngineConnection) return connection;
  throw new Error("the transaction has no connection to PostgreSQL");
}

/**
 * Each savepoint has its own name: if the server refuses one, `undo` must not roll back to the
 * savepoint of an earlier body, whose writes count as done.
 */
async function setSavepoint(tx: Tx, step: SavepointStep): Promise<void> {
  const connection = requireOwn(findDirect(tx));
  const number = (savepoints.get(tx) ?? 0) + (step === "set" ? 1 : 0);
  savepoints.set(tx, number);
  for (const words of SAVEPOINT[step]) {
    const statement = `${words} body_${number}`;
    await (step === "undo" ? connection.run(statement, []) : connection.send(statement));
  }
}

function share(
  notices: CommitNotices,
  { onStatement, lookInterval_ms = LOOK_INTERVAL_MS }: OpenOptions,
): SharedUse {
  const findBusy: FindBusy = (backends) => notices.findBusy(backends);
  return {
    owner: {},
    sealer: undefined,
    underWay: 0,
    onStatement,
    names: new StatementNames(),
    silence: new SilenceWatch({ clock: systemClock, findBusy, lookInterval_ms }),
  };
}

/**
 * Takes the gateway lock on each writing connection. Refuses the connection if the shop may have
 * moved to another database.
 */
function keepingPlace(presence: Presence): (client: ClientBase) => Promise<void> {
  const take = takePlace(presence);
  const check = presence === "alone" ? refuseSecond() : refuseExported();
  return async (client) => {
    // Checks before taking the lock: while this process holds the lock, an export is refused.
    if (presence !== "alone") await check(client);
    await take(client);
    await check(client);
  };
}

/**
 * Takes the gateway lock for the lifetime of a connection. After the connection is lost, no new
 * connection succeeds while another process holds the lock.
 */
function takePlace(presence: Presence): (client: ClientBase) => Promise<void> {
  const lock = presence === "alone" ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
  return async (client) => {
    const asked = `select ${lock}(${GATEWAY_LOCK}) as taken`;
    const row = await askAtFirst<{ taken: boolean }>(client, asked);
    if (row?.taken !== true) throw new DatabaseTaken();
    if (presence === "gateway") {
      await askAtFirst(client, `set idle_in_transaction_session_timeout = ${STANDSTILL_MS}`);
    }
  };
}

/** Checks the connection before it listens: a standby does not support `listen`. */
function listening(presence: Presence, keepPlace: OnConnect | undefined): OnConnect {
  return async (client) => {
    await requireWritable(client);
    if (presence === "gateway") await keepPlace?.(client);
  };
}

type OnConnect = (client: ClientBase) => Promise<void>;

interface WriterUse extends Pick<WritingUse, "onDirectWrite"> {
  shared: SharedUse;
  history: HistoryWatch | undefined;
  keepPlace: OnConnect | undefined;
  onCommit: (() => void) | undefined;
}

function openWriters(
  address: string,
  presence: Presence | undefined,
  { shared, history, keepPlace, onCommit, onDirectWrite }: WriterUse,
): [Writer, ...Writer[]] {
  const beforeWriting = async (client: ClientBase) => {
    await requireWritable(client);
    await keepPlace?.(client);
    await history?.compare(client);
  };
  const onConnect = keepPlace && beforeWriting;
  const isPipelined = canPipeline(presence);
  const openOne = (number: number) =>
    openWriting(openPool(address, 1, { onConnect, pipeline: isPipelined }), shared, {
      isPipelined,
      onDirectWrite,
      onCommit() {
        history?.committed(number);
        onCommit?.();
      },
    });
  const others = presence === "gateway" ? WRITERS - 1 : 0;
  return [openOne(0), ...Array.from({ length: others }, (_, index) => openOne(index + 1))];
}

/** Notifies the other processes of the commit, and counts it in the row of the connection. */
function completing(
  notices: CommitNotices,
  writers: readonly Writer[],
  history: HistoryWatch | undefined,
): Connections["completeTransaction"] {
  return async (tx, lock, written) => {
    if (written.size === 0 || lock === CLAIMS) return;
    const connection = writers.findIndex((writer) => writer.written === written);
    const mark = history?.nextMark(connection, written);
    const counted = notices.send(tx, written, mark).then((marked) => {
      if (marked) history?.counted(connection, marked);
    });
    // If the notice fails, the server rolls back instead of committing.
    await requireOwn(findDirect(tx)).confirmLater(counted);
  };
}

/** @param pool must have a single connection */
function openWriting(
  pool: ReturnType<typeof openPool>,
  shared: SharedUse,
  notices: Omit<WritingUse, "written">,
): Writer {
  const written = new Set<string>();
  return { db: open(pool, { shared, writing: { ...notices, written } }), written };
}

function open(pool: ReturnType<typeof openPool>, use: DialectUse): Db {
  return new Kysely<Tables>({
    dialect: new PostgresEngineDialect(pool, use),
    // Rewrites empty lists, because PostgreSQL refuses `in ()`.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
}
