import type { Db, Tx } from "./handles.ts";

interface GroupMemory {
  readonly values: Map<string, unknown>;
  /** The tables that the transaction has written to, at least. */
  readonly written: ReadonlySet<string>;
}

const memories = new WeakMap<Db | Tx, GroupMemory>();

/**
 * Lets the bodies of a transaction share their reads (`readOnceInGroup`). No other transaction writes the rows
 * that the transaction has locked, so a value that was read in it holds until it writes to the table itself.
 */
export function rememberInGroup(tx: Tx, written: ReadonlySet<string>): void {
  memories.set(tx, { values: new Map(), written });
}

/**
 * Reads a value once for all the bodies of a group. It is for values that every sale reads and few change. Outside a
 * group, and where the group has written to the table, it is read each time.
 * @param table the only table that the value is read from; no trigger writes to it
 * @param key names the value among those of the table, with its account
 */
export async function readOnceInGroup<Value>(
  db: Db | Tx,
  table: string,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const memory = memories.get(db);
  if (!memory || memory.written.has(table)) return read();
  const place = `${table}/${key}`;
  if (memory.values.has(place)) return memory.values.get(place) as Value;
  const value = await read();
  memory.values.set(place, value);
  return value;
}
