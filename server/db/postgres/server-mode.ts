import { Client, type ClientBase } from "pg";
import { askAtFirst } from "./pool.ts";

const TIMEOUT_MS = 10_000;

type UnfitReason = "STANDBY" | "READ_ONLY" | "POOLED";

const REASONS: Record<UnfitReason, { what: string; remedy: string; code: string }> = {
  STANDBY: {
    what: "the server is a standby, which repeats another server's commits and cannot be written",
    remedy: "Give the address of the primary, or promote this server.",
    code: "TILLGATE_STANDBY",
  },
  READ_ONLY: {
    what: "the server lets this user read only (default_transaction_read_only is on)",
    remedy:
      "Switch it off for this user and database: alter role USER in database DATABASE set default_transaction_read_only = off.",
    code: "25006",
  },
  POOLED: {
    what: "a pooler stands between, which gives each transaction another connection of the server (PgBouncer's pool_mode = transaction or statement)",
    remedy:
      "Give the address of the server itself, or set pool_mode = session for this database in the pooler.",
    code: "TILLGATE_POOLED",
  },
};

/** Thrown if the server, or a proxy in front of it, cannot hold a shop's database. */
export class UnfitServer extends Error {
  readonly reason: UnfitReason;
  readonly remedy: string;
  readonly code: string;

  constructor(reason: UnfitReason) {
    const { what, remedy, code } = REASONS[reason];
    super(what);
    this.reason = reason;
    this.remedy = remedy;
    this.code = code;
  }
}

/**
 * Requires that a new writing connection can write.
 * @throws UnfitServer otherwise
 */
export async function requireWritable(client: ClientBase): Promise<void> {
  const mode = await askAtFirst<{ standby: boolean; readonly: string }>(
    client,
    "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as readonly",
  );
  if (mode?.standby === true) throw new UnfitServer("STANDBY");
  if (mode?.readonly === "on") throw new UnfitServer("READ_ONLY");
}

const PID = "select pg_backend_pid() as pid";

/**
 * Detects a pooler that shares the server's connections between transactions: prepared statements,
 * session locks and notices would be lost. A pooler reports its own process ids. If an id differs
 * from the server's id, a transaction on a second connection shows whether both connections get the
 * same server process.
 * @throws UnfitServer
 */
export async function refusePooling(address: string): Promise<void> {
  const options = { connectionString: address, connectionTimeoutMillis: TIMEOUT_MS };
  const first = new Client(options);
  const second = new Client(options);
  for (const client of [first, second]) client.on("error", () => {});
  try {
    await first.connect();
    const before = await readPid(first);
    if (before === (first as { processID?: number | null }).processID) return;
    await second.connect();
    await second.query("begin");
    const meanwhile = await readPid(second);
    // If all clients share one server connection, the first client gets no response now.
    const after = await readPid(first).catch(() => undefined);
    if (meanwhile === before || after !== before) throw new UnfitServer("POOLED");
    await second.query("rollback");
  } finally {
    await Promise.allSettled([first.end(), second.end()]);
  }
}

async function readPid(client: Client): Promise<number | undefined> {
  const limited = { text: PID, query_timeout: TIMEOUT_MS };
  return (await client.query<{ pid: number }>(limited)).rows[0]?.pid;
}
