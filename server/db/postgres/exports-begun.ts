import { sql } from "kysely";
import type { ClientBase } from "pg";
import { getConnections } from "../connections.ts";
import type { Db } from "../handles.ts";
import { askAtFirst } from "./pool.ts";

/**
 * Advisory lock that the selling processes hold as a shared lock, and an export as an exclusive
 * lock.
 */
export const GATEWAY_LOCK = 0x7112;

/**
 * Thrown if the shop was exported, or an export was started, after this process lost a connection.
 * The process must not sell any more, because the shop may already use another database.
 */
class ShopExported extends Error {
  readonly code = "TILLGATE_SHOP_EXPORTED";
  constructor() {
    super("the shop was exported while this process was not connected");
  }
}

/**
 * Refuses connections after an export. A restart of the server releases the locks of all
 * connections before the processes notice it. An export can then get the lock, and a process that
 * reconnects would sell during or after the export. Each export therefore increases a number in the
 * database. A process remembers the first number that it reads, and refuses connections when it
 * reads another number.
 * @returns a check for each writing connection, to be called before and after the lock is taken
 */
export function refuseExported(): (client: ClientBase) => Promise<void> {
  let first: number | undefined;
  return async (client) => {
    const number = await countExports(client);
    first ??= number;
    if (number !== first) throw new ShopExported();
  };
}

/**
 * Refuses a second connection of a process that has the database to itself: between the two
 * connections, the process did not hold its lock.
 * @returns a check for each connection
 */
export function refuseSecond(): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) throw new ShopExported();
    isFirst = false;
  };
}

/** Counts an export. The exporting process must call this before it reads anything. */
export async function countExport(db: Db): Promise<void> {
  const [writer] = getConnections(db).writers;
  await writer.db
    .insertInto("exports_begun")
    .values({ one: 1, number: 1 })
    .onConflict((conflict) =>
      conflict.column("one").doUpdateSet({ number: sql`exports_begun.number + 1` }),
    )
    .execute();
}

/** Returns the number of exports; 0 if the tables are missing or of an earlier version. */
async function countExports(client: ClientBase): Promise<number> {
  if (!(await isThere(client))) return 0;
  const row = await askAtFirst<{ number: string }>(client, "select number from exports_begun");
  return Number(row?.number ?? 0);
}

async function isThere(client: ClientBase): Promise<boolean> {
  const asked = "select to_regclass('exports_begun') is not null as there";
  return (await askAtFirst<{ there: boolean }>(client, asked))?.there ?? false;
}
