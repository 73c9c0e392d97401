import type { Db, Tx } from "./handles.ts";

interface GroupMemory {
  readonly values: Map<string, unknown>;
  /** Tables to which the transaction may have written. */
  readonly written: ReadonlySet<string>;
}

const memories = new WeakMap<Db | Tx, GroupMemory>();

/**
 * Lets all functions that run in one transaction share the values that they read
 * (`readOnceInGroup`). The rows are locked, so a value stays valid until this transaction writes to
 * its table.
 */
export function rememberInGroup(tx: Tx, written: ReadonlySet<string>): void {
  memories.set(tx, { values: new Map(), written });
}

/**
 * Reads a value once for all functions of a group, which run in one transaction. Use it for values
 * that every sale reads and few transactions change. Outside a group, and after the group has
 * written to the table, the value is read each time.
 * @param table the only table from which the value is read; no trigger may write to it
 * @param key identifies the value within the table; contains the account
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
