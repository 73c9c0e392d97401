import type { Db, Tx } from "./handles.ts";

interface GroupMemory {
  readonly values: Map<string, Promise<unknown>>;
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

/** Forgets the values of a body that was undone: it may have read its own writes. */
export function forgetInGroup(tx: Tx): void {
  memories.get(tx)?.values.clear();
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
  const known = memory.values.get(place);
  if (known) return known as Promise<Value>;
  const value = read();
  memory.values.set(place, value);
  value.catch(() => memory.values.delete(place));
  return value;
}

/**
 * Starts reads that the bodies of a transaction will need, so that they are sent with its lock. The
 * bodies find the values in the memory of their group.
 */
export function readAhead(...reads: Promise<unknown>[]): void {
  // The body reads again, and finds the error.
  for (const read of reads) read.catch(() => {});
}
