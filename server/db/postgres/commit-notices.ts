import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Client } from "pg";
import { systemClock } from "../../lib/clock.ts";
import type { Tx } from "../database.ts";

const CHANNEL = "tillgate_commits";
const RECONNECT_MS = 500;

/** What processes on one database tell each other: that something was committed. */
export interface CommitNotices {
  /** Another number after each commit of another process, and whenever one may have been missed. */
  version(): number;
  /** Tells the others, once the transaction at hand is committed. */
  send(tx: Tx): Promise<void>;
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own. While that is lost every question counts as a change; it is
 * opened again by itself.
 * @throws where it cannot be opened at first
 */
export async function openCommitNotices(address: string): Promise<CommitNotices> {
  const self = randomUUID();
  let version = 0;
  let client: Client | undefined;
  let cancelRetry = () => {};
  let isClosed = false;

  async function connect(): Promise<void> {
    const fresh = new Client({
      connectionString: address,
      keepAlive: true,
      application_name: "tillgate notices",
    });
    fresh.on("error", () => {});
    fresh.on("end", () => {
      if (client === fresh) lose();
    });
    fresh.on("notification", ({ payload }) => {
      if (payload !== self) version += 1;
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}`);
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    if (isClosed) {
      await fresh.end();
      return;
    }
    client = fresh;
    version += 1;
  }

  function lose(): void {
    client = undefined;
    if (isClosed) return;
    cancelRetry = systemClock.wakeAt(systemClock.now() + RECONNECT_MS, () => {
      connect().catch(lose);
    });
  }

  await connect();
  return {
    version() {
      if (!client) version += 1;
      return version;
    },
    async send(tx) {
      await sql`select pg_notify(${CHANNEL}, ${self})`.execute(tx);
    },
    async close() {
      isClosed = true;
      cancelRetry();
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
