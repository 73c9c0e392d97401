import { sql } from "kysely";
import type { ClientBase } from "pg";
import { getConnections } from "../connections.ts";
import type { Db } from "../handles.ts";
import { askAtFirst } from "./pool.ts";

/** The advisory lock that the selling processes share, and that an export has alone. */
export const GATEWAY_LOCK = 0x7112;

/**
 * The shop was exported, or is being exported, since a connection of this process was lost: a sale of the process now
 * would be in a database that the shop may have left.
 */
class ShopExported extends Error {
  readonly code = "TILLGATE_SHOP_EXPORTED";
  constructor() {
    super("the shop was exported while this process was not connected");
  }
}

/**
 * Locks of connections are gone when the server restarts, before a process hears of it. In that gap an export may take
 * the place, and a process that reconnected would sell beside it or after it. So each export counts itself in a row,
 * and each process remembers the count that it found first.
 * @returns a check of each connection that writes, for before and after its place is taken
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
 * Refuses a second connection of a process that has the database alone, because its place was free between
 * the two.
 * @returns a check of each connection
 */
export function refuseSecond(): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) throw new ShopExported();
    isFirst = false;
  };
}

/** To be called by a process that has the database alone, before anything is read from it. */
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

/** Returns 0 for a database without tables, or with those of an earlier version. */
async function countExports(client: ClientBase): Promise<number> {
  if (!(await isThere(client))) return 0;
  const row = await askAtFirst<{ number: string }>(client, "select number from exports_begun");
  return Number(row?.number ?? 0);
}

async function isThere(client: ClientBase): Promise<boolean> {
  const asked = "select to_regclass('exports_begun') is not null as there";
  return (await askAtFirst<{ there: boolean }>(client, asked))?.there ?? false;
}
