import { type ClientBase, Pool, type PoolClient, types } from "pg";
import { hangUp, type SilenceWatch } from "./silence-watch.ts";

/** Numbers of PostgreSQL's types for whole numbers beyond 32 bits, and for sums of them. */
const INT8 = 20;
const NUMERIC = 1700;

/** How long a connection is waited for before a request fails. */
const CONNECT_TIMEOUT_MS = 10_000;

/** An idle connection is closed after this time. */
const IDLE_TIMEOUT_MS = 10_000;
/** Of connections that nobody uses: they are not closed. */
const KEPT = 0;
/** After so much silence the system tries a connection, ten times in ten seconds: one that is idle is known to be lost soon. */
const KEEP_ALIVE_MS = 5_000;

/**
 * No statement has a time limit (docs/decisions/0085), whatever the server sets for its users: a sale that is cut off would
 * fail while everything else seems to work.
 */
const AT_FIRST = `select pg_backend_pid() as pid, set_config('statement_timeout', '0', false),
  set_config('lock_timeout', '0', false)`;

/** The server's process of each connection, as the server itself says it: a pooler has numbers of its own. */
const backends = new WeakMap<ClientBase, number>();

/** A number that JavaScript has exactly. @throws RangeError for another: it would be rounded silently */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is not a whole number up to 2^53`);
  }
  return value;
}

/** @throws for a connection that is of no pool of ours */
export function backendOf(client: ClientBase): number {
  const backend = backends.get(client);
  if (backend === undefined) throw new Error("the connection was not opened by openPool");
  return backend;
}

/** Asks what waits for nothing on a connection that is new, and ends with it when no answer comes. */
export async function askAtFirst<Row extends object>(
  client: ClientBase,
  text: string,
): Promise<Row | undefined> {
  const limited = { text, query_timeout: CONNECT_TIMEOUT_MS };
  return (await client.query<Row>(limited)).rows[0];
}

/** A connection of the pool that may be expected to be answered on. */
export async function takeConnection(pool: Pool, silence: SilenceWatch): Promise<PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!silence.isDoubtful(client)) return client;
    hangUp(client);
    client.release(true);
  }
}

/**
 * Connections to a PostgreSQL that give all numbers as SQLite does. None is opened before it is needed.
 * @param address as in `postgres://user:password@host:port/database`
 * @param size how many there are at most
 * @param onConnect what is done with each before it is used; where that fails, the connection is not. Such
 *   connections stay open while nobody uses them
 * @param idle_ms after which other connections are closed while nobody uses them
 */
export function openPool(
  address: string,
  size: number,
  onConnect?: (client: ClientBase) => Promise<void>,
  idle_ms = IDLE_TIMEOUT_MS,
): Pool {
  const begin: (client: ClientBase) => unknown = async (client) => {
    const row = await askAtFirst<{ pid: number }>(client, AT_FIRST);
    if (row) backends.set(client, row.pid);
    await onConnect?.(client);
  };
  const pool = new Pool({
    connectionString: address,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // The pool waits for it, though its types do not say so.
    onConnect: begin,
    idleTimeoutMillis: onConnect ? KEPT : idle_ms,
    application_name: "tillgate",
    types: {
      getTypeParser: (type: number, format?: "text" | "binary"): unknown =>
        type === INT8 || type === NUMERIC ? readInteger : types.getTypeParser(type, format),
    },
  });
  // A connection that is lost fails the one who asks by it next; nobody else needs to hear of it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
