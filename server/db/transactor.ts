import { type Clock, systemClock } from "../lib/clock.ts";
import type { Lock } from "./account-lock.ts";
import { type Body, CommitQueue, type Group } from "./commit-queue.ts";
import { type Connections, getConnections, type Writer } from "./connections.ts";
import type { Db, Tx } from "./database.ts";
import { refuseInside, runInTransaction } from "./transaction-scope.ts";
import type { WriteHealth } from "./write-health.ts";

/**
 * Runs work in a transaction, and answers once it is on the disk. A transaction inside a transaction,
 * or the database itself asked inside one, throws at once.
 */
export interface Transactor {
  /**
   * @param lock the account whose rows the work reads and writes: nobody else writes them meanwhile
   * @throws what the work throws, and then nothing of it is stored; or why the disk did not take it
   */
  transact<T>(lock: Lock, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Called at every commit, once for all the work in it: to which tables something was written (at
   * least; what was rolled back of a group may be among them), and what the work noted.
   */
  onCommit(listener: CommitListener): void;
}

/** @param notes what was noted by `noteInTransaction`, in the order of the work */
export type CommitListener = (written: ReadonlySet<string>, notes: readonly object[]) => void;

interface Options {
  /** Notified of writes that fail. */
  health?: WriteHealth;
  /** Says how long a group has taken. */
  clock?: Pick<Clock, "running">;
  /** Refuses work that waits for anything but the database: it would delay everybody's answer. */
  isStrict?: boolean;
}

const GROUP_MS = 20;
/** Promises that settle meanwhile: who waits for the connection since before the end is in line by then. */
const TURNS_BEFORE_COMMIT = 8;

/**
 * Commits in groups: bodies that are ready run one after another inside one transaction, each in a
 * savepoint of its own, and all are answered when that is on the disk. There is no timer: what
 * arrives while a group is being written is the next group. Where there are several connections that
 * write, groups of different accounts are written at once; those of one account never are.
 *
 * A body's failure is its own: its savepoint is rolled back, the others go on. What ends the
 * transaction itself (a full disk) fails everybody in it with that reason: nobody was answered yet.
 */
export function createTransactor(db: Db, options: Options = {}): Transactor {
  const { health, clock = systemClock, isStrict = false } = options;
  const connections = getConnections(db);
  const { owner } = connections;
  const apart = { connections, health };
  const listeners: CommitListener[] = [];

  async function commitGroup(
    { db: writer, written }: Writer,
    { lock, bodies: group }: Group,
  ): Promise<boolean> {
    const done: Body[] = [];
    const notes: object[] = [];
    try {
      await writer.transaction().execute(async (tx) => {
        await connections.prepareTransaction(tx, lock);
        const began = clock.running();
        for (const [index, body] of group.entries()) {
          if (index > 0 && clock.running() - began > GROUP_MS) {
            queue.putBack(group.splice(index));
            break;
          }
          const noted = group.length === 1 ? await body.run(tx) : await runApart(tx, body, apart);
          if (!noted) continue;
          done.push(body);
          notes.push(...noted);
        }
        await complete(tx, () => connections.completeTransaction(tx, lock, written));
      });
    } catch (error) {
      health?.failed(error);
      for (const body of group) body.fail(error);
      return false;
    }
    for (const body of done) body.settle();
    for (const listener of listeners) listener(written, notes);
    return true;
  }

  const queue = new CommitQueue(connections, commitGroup);
  return {
    async transact<T>(lock: Lock, work: (tx: Tx) => Promise<T>): Promise<T> {
      refuseInside(owner);
      return new Promise((resolve, reject) => {
        let outcome: T;
        queue.add({
          lock,
          async run(tx) {
            const { result, notes } = await runInTransaction(owner, () => work(tx), isStrict);
            outcome = result;
            return notes;
          },
          settle: () => resolve(outcome),
          fail: reject,
        });
      });
    },
    onCommit(listener) {
      listeners.push(listener);
    },
  };
}

/** What a body began and did not wait for has its turn first, and is refused with the remedy. */
async function complete(tx: Tx, end: () => Promise<void> | undefined): Promise<void> {
  for (let turn = 0; turn < TURNS_BEFORE_COMMIT; turn++) await Promise.resolve();
  await tx.getExecutor().provideConnection(async () => {});
  await end();
}

/**
 * Runs a body in a savepoint of its own.
 * @returns what it noted, undefined where it failed. @throws its error when that ended the whole
 *   transaction
 */
async function runApart(
  tx: Tx,
  body: Body,
  { connections, health }: { connections: Connections; health: WriteHealth | undefined },
): Promise<readonly object[] | undefined> {
  await connections.setSavepoint(tx, "set");
  try {
    const notes = await body.run(tx);
    await connections.setSavepoint(tx, "keep");
    return notes;
  } catch (error) {
    if (!connections.isWriting()) throw error;
    await connections.setSavepoint(tx, "undo");
    health?.failed(error);
    body.fail(error);
    return undefined;
  }
}
