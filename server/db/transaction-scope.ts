import { AsyncLocalStorage } from "node:async_hooks";
import { onNextTurn } from "../lib/clock.ts";

/** The database whose transaction some work runs in, and whether that has ended. */
interface Body {
  readonly database: object;
  readonly outer: Body | undefined;
  /** Notes that its commit passes to the listeners. */
  readonly notes: object[];
  isOver: boolean;
}

const bodies = new AsyncLocalStorage<Body>();

/**
 * A transaction was started, or the database was used outside of it, from inside a transaction.
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

/** A transaction was used after its end. */
export class AfterTransaction extends Error {
  constructor() {
    super(
      "A transaction was used after its end, and would have written into another one. " +
        "Wait inside the transaction for every query that it begins.",
    );
    this.name = "AfterTransaction";
  }
}

/** A transaction waited for something other than the database. */
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
 * Adds a note that listeners receive once the current transaction is on the disk, and never if it
 * fails. Without a transaction it has no effect.
 */
export function noteInTransaction(note: object): void {
  bodies.getStore()?.notes.push(note);
}

/**
 * Runs the body of a transaction of a database: until it ends, `refuseInside` throws for everything
 * that it calls, and afterwards `refuseEnded` does.
 * @param database names the database; the same object in all these functions
 * @param isStrict whether to refuse a body that waited for anything but the database
 * @returns the body's result, and its notes
 * @throws WaitedInTransaction; and the body's error
 */
export async function runInTransaction<T>(
  database: object,
  work: () => Promise<T>,
  isStrict = false,
): Promise<{ result: T; notes: readonly object[] }> {
  const body: Body = { database, outer: bodies.getStore(), notes: [], isOver: false };
  // The database answers at once, so a body that waits for nothing else ends before the event loop
  // turns.
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

/** Runs work that belongs to no transaction, wherever it was started. */
export function outsideTransactions<T>(work: () => T): T {
  return bodies.exit(work);
}

/** @throws InsideTransaction if called from a transaction of this database that has not ended */
export function refuseInside(database: object): void {
  for (let body = bodies.getStore(); body; body = body.outer) {
    if (body.database === database && !body.isOver) throw new InsideTransaction();
  }
}

/** @throws AfterTransaction if called from a transaction of this database that has ended */
export function refuseEnded(database: object): void {
  const body = bodies.getStore();
  if (body?.database === database && body.isOver) throw new AfterTransaction();
}
