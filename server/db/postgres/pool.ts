import { type ClientBase, Pool, types } from "pg";

/** Numbers of PostgreSQL's types for whole numbers beyond 32 bits, and for sums of them. */
const INT8 = 20;
const NUMERIC = 1700;

/** How long a connection is waited for before a request fails. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Of connections that nobody uses: they are not closed. */
const KEPT = 0;
/** After so much silence a connection is tried, before anything on the way forgets it. */
const KEEP_ALIVE_MS = 30_000;

/** A number that JavaScript has exactly. @throws RangeError for another: it would be rounded silently */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is not a whole number up to 2^53`);
  }
  return value;
}

/**
 * Connections to a PostgreSQL that give all numbers as SQLite does. None is opened before it is needed.
 * @param address as in `postgres://user:password@host:port/database`
 * @param size how many there are at most
 * @param onConnect what is done with each before it is used; where that fails, the connection is not. Such
 *   connections stay open while nobody uses them
 */
export function openPool(
  address: string,
  size: number,
  onConnect?: (client: ClientBase) => unknown,
): Pool {
  const pool = new Pool({
    connectionString: address,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // The pool waits for it, though its types do not say so.
    ...(onConnect && { onConnect, idleTimeoutMillis: KEPT }),
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
