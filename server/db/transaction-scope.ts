import { AsyncLocalStorage } from "node:async_hooks";

/** Which database's transaction a piece of work runs in; over when that has ended. */
interface Body {
  readonly database: object;
  readonly outer: Body | undefined;
  isOver: boolean;
}

const bodies = new AsyncLocalStorage<Body>();

/** A transaction was begun, or the database was asked past it, from inside a transaction. */
export class InsideTransaction extends Error {
  constructor() {
    super(
      "The database was used inside one of its own transactions, which would wait for itself for ever. " +
        "Pass the transaction on: reading functions take `Db | Tx`, writing functions take `Tx`.",
    );
    this.name = "InsideTransaction";
  }
}

/**
 * Runs the body of a transaction of a database: until it ends, `refuseInside` throws for everything
 * that it calls. A database has one connection, so that a second use would wait for the first.
 * @param database names the database; the same object in both functions
 */
export async function runInTransaction<T>(database: object, work: () => Promise<T>): Promise<T> {
  const body: Body = { database, outer: bodies.getStore(), isOver: false };
  try {
    return await bodies.run(body, work);
  } finally {
    body.isOver = true;
  }
}

/** @throws InsideTransaction when called from a transaction of this database that has not ended */
export function refuseInside(database: object): void {
  for (let body = bodies.getStore(); body; body = body.outer) {
    if (body.database === database && !body.isOver) throw new InsideTransaction();
  }
}
