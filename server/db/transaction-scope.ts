import { AsyncLocalStorage } from "node:async_hooks";
import { onNextTurn } from "../lib/clock.ts";

/** The work of a running or ended transaction, and its database. */
interface Body {
  readonly database: object;
  readonly outer: Body | undefined;
  /** Notes that listeners receive after the commit. */
  readonly notes: object[];
  isOver: boolean;
}

const bodies = new AsyncLocalStorage<Body>();

/**
 * Thrown if code inside a transaction starts another transaction, or uses the database directly.
 */
export class InsideTransaction extends Error {
  constructor() {
    super(
      "The database was used inside one of its own transactions, which would see what was there before " +
        "it, or wait for itself for ever. " +
        "Pass the transaction on: reading functions take `Db | Tx`, writing functions take `Tx`.",
    );
    this.name = "InsideTransaction";
  }
}

/** Thrown if a transaction is used after its end. */
export class AfterTransaction extends Error {
  constructor() {
    super(
      "A transaction was used after its end, and would have written into another one. " +
        "Wait inside the transaction for every query that it begins.",
    );
    this.name = "AfterTransaction";
  }
}

/** Thrown if a transaction waited for something other than the database. */
export class WaitedInTransaction extends Error {
  constructor() {
    super(
      "A transaction waited for something that is not the database, and held up everybody else who writes. " +
        "Do that before it, or after it: read files, ask networks, hash and set timers outside.",
    );
    this.name = "WaitedInTransaction";
  }
}

/**
 * Adds a note that listeners receive when the current transaction is on the disk. A failed
 * transaction drops its notes. Has no effect outside a transaction.
 */
export function noteInTransaction(note: object): void {
  bodies.getStore()?.notes.push(note);
}

/**
 * Runs the body of a transaction. While the body runs, `refuseInside` throws in all code that the
 * body calls. After the body's end, `refuseEnded` throws.
 * @param database identifies the database in all functions of this module
 * @param isStrict true to refuse a body that waits for anything but the database
 * @returns the result of the body, and its notes
 * @throws WaitedInTransaction, or the error of the body
 */
export async function runInTransaction<T>(
  database: object,
  work: () => Promise<T>,
  isStrict = false,
): Promise<{ result: T; notes: readonly object[] }> {
  const body: Body = { database, outer: bodies.getStore(), notes: [], isOver: false };
  // SQLite answers synchronously, so a body that waits for nothing else ends before the
  // next turn of the event loop.
  let hasWaited = false;
  const stopWatching = isStrict
    ? onNextTurn(() => {
        hasWaited = true;
      })
    : undefined;
  try {
    const result = await bodies.run(body, work);
    if (hasWaited) throw new WaitedInTransaction();
    return { result, notes: body.notes };
  } finally {
    stopWatching?.();
    body.isOver = true;
  }
}

/** Runs work outside every transaction, even if a transaction starts it. */
export function outsideTransactions<T>(work: () => T): T {
  return bodies.exit(work);
}

/** @throws InsideTransaction if called inside a running transaction of this database */
export function refuseInside(database: object): void {
  for (let body = bodies.getStore(); body; body = body.outer) {
    if (body.database === database && !body.isOver) throw new InsideTransaction();
  }
}

/** @throws AfterTransaction if called by the body of an ended transaction of this database */
export function refuseEnded(database: object): void {
  const body = bodies.getStore();
  if (body?.database === database && body.isOver) throw new AfterTransaction();
}
