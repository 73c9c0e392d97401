import { type ClientBase, Pool, type PoolClient, types } from "pg";
import { hangUp, type SilenceWatch } from "./silence-watch.ts";

/** Type numbers of PostgreSQL: integers of 64 bits, and sums of such integers. */
const INT8 = 20;
const NUMERIC = 1700;

const CONNECT_TIMEOUT_MS = 10_000;

const IDLE_TIMEOUT_MS = 10_000;
/** Idle timeout of connections that stay open; 0 disables the timeout. */
const KEPT = 0;
/**
 * Idle time after which the operating system probes a connection, ten times in ten seconds. A lost
 * idle connection is thus detected soon.
 */
const KEEP_ALIVE_MS = 5_000;

/**
 * Settings of each connection, which override the server's settings for its users. No statement has
 * a time limit (docs/decisions/0085), because a sale that is cut off would fail while everything
 * else seems to work. The commit of a sale is on the server's disk before the response. A stronger
 * setting, which waits for standbys, is kept.
 */
const SETTINGS = {
  statement_timeout: "'0'",
  lock_timeout: "'0'",
  transaction_timeout: "'0'",
  idle_session_timeout: "'0'",
  idle_in_transaction_session_timeout: "'0'",
  default_transaction_isolation: "'read committed'",
  synchronous_commit: "coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on')",
};

/** Skips the settings that an older server lacks, because its version is reported only later. */
const AT_FIRST = `select pg_backend_pid() as pid, ${Object.entries(SETTINGS)
  .map(([name, value]) => {
    const set = `set_config('${name}', ${value}, false)`;
    return `case when current_setting('${name}', true) is not null then ${set} end`;
  })
  .join(", ")}`;

/**
 * The server's process id of each connection, as the server reports it; a pooler reports its own
 * ids.
 */
const backends = new WeakMap<ClientBase, number>();

/**
 * Reads an integer that JavaScript represents exactly.
 * @throws RangeError for any other integer, which JavaScript would round silently
 */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is not a whole number up to 2^53`);
  }
  return value;
}

/**
 * Returns the server's process id of a connection.
 * @throws for a connection that does not come from this module
 */
export function backendOf(client: ClientBase): number {
  const backend = backends.get(client);
  if (backend === undefined) throw new Error("the connection was not opened by openPool");
  return backend;
}

/**
 * Runs a query that needs no lock, on a new connection. Closes the connection if no response
 * arrives.
 */
export async function askAtFirst<Row extends object>(
  client: ClientBase,
  text: string,
): Promise<Row | undefined> {
  const limited = { text, query_timeout: CONNECT_TIMEOUT_MS };
  return (await client.query<Row>(limited)).rows[0];
}

/** Takes a connection from the pool. Connections that were probably lost are closed instead. */
export async function takeConnection(pool: Pool, silence: SilenceWatch): Promise<PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!silence.isDoubtful(client)) return client;
    hangUp(client);
    client.release(true);
  }
}

interface PoolOptions {
  /**
   * Prepares each connection before its first use. If the call fails, the connection is not used.
   * Prepared connections stay open while idle.
   */
  onConnect?: ((client: ClientBase) => Promise<void>) | undefined;
  /** Time after which other idle connections are closed. */
  idle_ms?: number | undefined;
  /** True to send statements before earlier ones are answered. Cursors are then refused. */
  pipeline?: boolean;
}

/**
 * Opens a pool of connections to a PostgreSQL server, which return all numbers as SQLite does.
 * Connections are opened on demand.
 * @param address such as `postgres://user:password@host:port/database`
 * @param size maximum number of connections
 */
export function openPool(
  address: string,
  size: number,
  { onConnect, idle_ms = IDLE_TIMEOUT_MS, pipeline = false }: PoolOptions = {},
): Pool {
  const begin: (client: ClientBase) => unknown = async (client) => {
    const row = await askAtFirst<{ pid: number }>(client, AT_FIRST);
    if (row) backends.set(client, row.pid);
    await onConnect?.(client);
  };
  const pool = new Pool({
    connectionString: address,
    max: size,
    pipeline,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // The pool awaits this function, although its types do not show that.
    onConnect: begin,
    idleTimeoutMillis: onConnect ? KEPT : idle_ms,
    application_name: "tillgate",
    types: {
      getTypeParser: (type: number, format?: "text" | "binary"): unknown =>
        type === INT8 || type === NUMERIC ? readInteger : types.getTypeParser(type, format),
    },
  });
  // The next query on a lost connection fails, so the event needs no handling.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
